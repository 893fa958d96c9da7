/** What is said about the states of resources: sentences, the section of the report, and text. */
import * as HtmlReport from "@vigil/health-report/HtmlReport"
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Timeline from "@vigil/health-report/Timeline"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import * as Assessment from "@vigil/health-verdict/Assessment"
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

describe("what owners stopped", () => {
  const own = (name: string) => status(name, "Unavailable", { reasonType: "UserInitiated" })
  const broken = status("broken", "Unavailable", { reasonType: "Unplanned" })
  const incident = status("fine", "Available", { serviceImpactingEvents: [{ status: { value: "Active" } }] })

  it.each([
    [[own("a")], "1 of 1 resource is not available: stopped by its owner"],
    [[own("a"), own("b"), broken], "3 of 3 resources are not available: 1 Unavailable and 2 stopped by their owners"],
    [
      [own("a"), incident],
      "1 of 2 resources is not available: stopped by its owner, and 1 is available and may be affected",
    ],
  ])("is counted among what is not available: %#", (statuses, text) => {
    const made = ResourceStates.make({ ...snapshot({ ...read, statuses }), events: [] })
    expect(made && ResourceStates.headline(made)).toBe(text)
  })

  it.each([
    [[own("a")], "1 of 1 resource is not available: perhaps stopped by its owner"],
    [
      [own("a"), own("b"), broken],
      "3 of 3 resources are not available: 1 Unavailable and 2 perhaps stopped by their owners",
    ],
  ])("is down, and perhaps stopped, if events were not read: %#", (statuses, text) => {
    expect(ResourceStates.notAvailable(statuses.map(Assessment.make(now)))).toBe(text)
    const unread = [{ source: "Subscription a", problem: "It is closed.", readAt: undefined }]
    const made = ResourceStates.make({ ...snapshot({ ...read, statuses }), events: [], failed: unread })
    expect(made).toMatchObject({ stopped: 0, down: statuses.length })
    expect(made && ResourceStates.headline(made)).toBe(text)
  })

  it("does not say that all are available if not all active events are known", () => {
    const subscriptions = [{ id: "a", name: undefined, events: [], isComplete: false }]
    const made = ResourceStates.make({
      ...snapshot({ ...read, statuses: [status("a", "Available")] }),
      subscriptions,
    })
    expect(made && ResourceStates.headline(made)).toBe("No resource is known to be unavailable")
  })

  it("does not include what was available when it was last checked", () => {
    const old = status("a", "Available", { reportedTime: "1969-12-25T00:00:00Z", healthEventId: "AB12" })
    const restart = {
      name: "AB12",
      properties: {
        eventType: "ServiceIssue",
        eventSource: "ResourceHealth",
        status: "Active",
        platformInitiated: false,
      },
    }
    const [one] = [old].map(Assessment.make(now, { events: [restart] }))
    expect(one?.evidence?.cause).toBe("customer")
    expect(one && ResourceStates.notAvailable([one])).toBe("1 of 1 resource is not available: 1 Unknown")
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
    [{ reasonType: "Unplanned" }, "Error"],
    [{ reasonType: "UserInitiated" }, "Other"],
    [{ reasonType: "UserInitiated", reportedTime: "1969-12-25T00:00:00Z" }, "Error"],
  ])("has the color of the worst resource that not only its owner stopped: %j", (properties, severity) => {
    const resources = { ...read, statuses: [status("a", "Unavailable", properties)] }
    expect(HtmlReport.make({ ...snapshot(resources), events: [] })).toContain(`<div class="card state ${severity}">`)
  })

  it("has the same as lines of text", () => {
    const lines = Timeline.lines(snapshot(known), { width: 100, color: false })
    expect(lines.slice(lines.findIndex((line) => line.startsWith("2 of 3")))).toEqual([
      "2 of 3 resources are not available: 1 Unavailable and 1 Degraded. Read: 3 resources of Subscription",
      "a. Resources of Subscription b could not be read.",
      "Resources of Subscription b: It is closed.",
      "Unavailable  <b>  V.Web/sites, g  since 1 Jan 1970, 09:30 UTC  platform (Unplanned)  confirmed",
      "event AB12-CD3",
      "Degraded  slow  V.Web/sites, g  since 1 Jan 1970, 10:00 UTC  perhaps platform",
      "it may be about its service or region  event AB12-CD3",
    ])
  })
})
