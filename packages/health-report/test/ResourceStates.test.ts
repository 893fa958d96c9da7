/** What is said about the states of resources: sentences, the section of the report, and text. */
import * as HtmlReport from "@vigil/health-report/HtmlReport"
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Timeline from "@vigil/health-report/Timeline"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import { describe, expect, it } from "vitest"

const status = (name: string, availabilityState?: string, properties: object = {}) => ({
  id: `/subscriptions/a/resourceGroups/g/providers/V.Web/sites/${name}/providers/V.ResourceHealth/availabilityStatuses/current`,
  properties: {
    reportedTime: "1970-01-02T00:00:00Z" as Timestamp,
    ...(availabilityState === undefined ? {} : { availabilityState }),
    ...properties,
  },
})

const now = 86_400_000

const failed = [{ source: "Resources of Subscription b", problem: "It is closed.", readAt: undefined }]

const read = { source: "Subscription a", statuses: [], invalid: 0, failed: [] }

const snapshot = (resources: Snapshot["resources"]): Snapshot => ({
  source: "Subscription a",
  events: [{ name: "AB12-CD3", properties: { title: "T", status: "Active", eventType: "ServiceIssue" } }],
  invalid: 0,
  failed: [],
  resources,
  from: 0,
  now,
})

describe("the sentence", () => {
  it.each([
    [["Available", "available"], {}, "All 2 resources are available. Read: 2 resources of Subscription a."],
    [["Available"], {}, "The only resource is available. Read: 1 resource of Subscription a."],
    [
      ["Unknown", "Available", "Unavailable", undefined, "Paused"],
      {},
      "4 of 5 resources are not available: 1 Unavailable, 2 Unknown and 1 Other. Read: 5 resources of Subscription a.",
    ],
    [
      ["Available"],
      { failed },
      "No resource is known to be unavailable. Read: 1 resource of Subscription a. Resources of Subscription b could not be read.",
    ],
    [
      ["Available"],
      { invalid: 1 },
      "No resource is known to be unavailable. Read: 1 resource of Subscription a. 1 entry could not be read.",
    ],
    [[], { failed, source: "" }, "The state of resources is unknown. Resources of Subscription b could not be read."],
    [[], {}, "The service lists no resources. Read: 0 resources of Subscription a."],
  ])("about %j and %j", (states, facts, text) => {
    const statuses = states.map((state, index) => status(`${index}`, state))
    const made = ResourceStates.make({ ...snapshot(undefined), events: [], resources: { ...read, statuses, ...facts } })
    expect(made && ResourceStates.text(made)).toBe(text)
  })
})

const known = {
  ...read,
  failed,
  statuses: [
    status("fine", "Available"),
    status("slow", "Degraded", { occuredTime: "1970-01-01T10:00:00Z" }),
    status("<b>", "Unavailable", {
      occuredTime: "1970-01-01T09:30:00Z",
      reasonType: "Unplanned",
      healthEventId: "ab12-cd3",
    }),
  ],
}

describe("the report", () => {
  it("does not mention resources that were not asked for", () => {
    const { resources: _, ...without } = snapshot(known)
    expect(HtmlReport.make(without)).not.toMatch(/resources|Resources/)
  })

  it.each([
    ["Unplanned", "Error"],
    ["UserInitiated", "Other"],
  ])("has the color of the worst resource that its owner did not stop: %s", (reasonType, severity) => {
    const resources = { ...read, statuses: [status("a", "Unavailable", { reasonType })] }
    expect(HtmlReport.make({ ...snapshot(resources), events: [] })).toContain(`<div class="card state ${severity}">`)
  })

  it("has the same as lines of text", () => {
    const lines = Timeline.lines(snapshot(known), { width: 100, color: false })
    expect(lines.slice(lines.findIndex((line) => line.startsWith("2 of 3")))).toEqual([
      "2 of 3 resources are not available: 1 Unavailable and 1 Degraded. Read: 3 resources of Subscription",
      "a. Resources of Subscription b could not be read.",
      "Resources of Subscription b: It is closed.",
      "Unavailable  <b>  V.Web/sites, g  since 1 Jan 1970, 09:30 UTC  platform (Unplanned)  event ab12-cd3",
      "Degraded  slow  V.Web/sites, g  since 1 Jan 1970, 10:00 UTC",
    ])
  })
})
