/** No page says that all is well without what was not read of the tenant and of emerging issues. */
import * as HtmlReport from "@vigil/health-report/HtmlReport"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Timeline from "@vigil/health-report/Timeline"
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import * as EventSummary from "@vigil/health-report/EventSummary"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import type { Gap } from "@vigil/health-verdict/Coverage"
import * as Subject from "@vigil/health-verdict/Subject"
import { describe, expect, it } from "vitest"

const now = 86_400_000

const id = "/subscriptions/a/resourceGroups/g/providers/V.Web/sites/web-1"

const status = (properties: object = {}): AvailabilityStatus => ({
  id: `${id}/providers/V.ResourceHealth/availabilityStatuses/current`,
  properties: { availabilityState: "Available", reportedTime: "1970-01-02T00:00:00Z" as Timestamp, ...properties },
})

const [tenant] = Subject.shared
const outside: Gap = { subject: tenant, kind: "outside", problem: "Access was denied (403)." }
const leftOut: Gap = { subject: tenant, kind: "left out", problem: "" }

const world = (given: Partial<Snapshot>, ...statuses: ReadonlyArray<AvailabilityStatus>): Snapshot => ({
  source: "Subscription a",
  subscriptions: [{ id: "a", name: undefined, events: [] }],
  events: [],
  invalid: 0,
  failed: [],
  resources: statuses.length === 0 ? undefined : { source: "a", statuses, invalid: 0, failed: [] },
  from: 0,
  now,
  ...given,
})

const text = (html = ""): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

const page = (snapshot: Snapshot) => {
  const html = HtmlReport.make(snapshot)
  return {
    title: /<title>(.*) · Service health/.exec(html)?.[1],
    color: /class="card state (\w+)"/.exec(html)?.[1],
    state: text(/<div class="verdict">([^]*?)<\/header>/.exec(html)?.[1]),
    empty: [...html.matchAll(/<p class="card state Other">([^<]*)/g)].map(([, claim]) => claim),
  }
}

describe("a page whose tenant may not be read", () => {
  it("says so beside each claim, and is no picture of health", () => {
    const { color, empty, state, title } = page(world({ gaps: [outside], tenant: { events: [], isComplete: false } }))
    expect([title, color]).toEqual(["No issue (not of the tenant)", "Warning"])
    expect(state).toBe(
      "No issue is known to be active (not of the tenant) Not read not of the tenant: Access was denied (403).",
    )
    expect(empty).toEqual(
      [
        "impact in this period",
        "event names a service",
        "issue with a start in this period",
        "event in this period",
      ].map((claim) => `No known ${claim} (not of the tenant).`),
    )
  })

  it("says so of resources, too, and is not sure what their owners did", () => {
    const tenantEvents = { events: [], isComplete: false }
    const { state, title } = page(world({ gaps: [outside], tenant: tenantEvents }, status(), status()))
    expect(title).toBe("All available (not of the tenant)")
    expect(state).toMatch(/^All 2 resources are available \(not of the tenant\) The rest of the cloud no known active/)
    const own = status({ availabilityState: "Unavailable", reasonType: "UserInitiated" })
    expect(page(world({ gaps: [outside], tenant: tenantEvents }, own)).state).toContain("perhaps stopped by its owner")
  })
})

describe("a page without the tenant, on request", () => {
  it("is sure of the rest", () => {
    const snapshot = world({ gaps: [leftOut] }, status(), status())
    const { color, state, title } = page(snapshot)
    expect([title, color]).toEqual(["All available (without the tenant)", "Other"])
    expect(state).toMatch(/^All 2 resources are available \(without the tenant\) The rest of the cloud no active issue/)
    expect(EventSummary.text(EventSummary.make(snapshot))).toBe("No issue is active (without the tenant).")
    expect(Timeline.lines(snapshot, { width: 80, color: false })).toContain(
      "All 2 resources are available (without the tenant). Read: 2 resources of a.",
    )
  })
})

describe("a page whose tenant could not be read", () => {
  it("does not know", () => {
    const failed = [{ source: "The tenant", problem: "No response.", readAt: undefined }]
    const { color, state, title } = page(world({ failed, tenant: { events: [], isComplete: false } }, status()))
    expect([title, color]).toEqual(["Not known", "Warning"])
    expect(state).toMatch(/^No resource is known to be unavailable The tenant could not be read\./)
  })
})

describe("an event of the tenant that names a resource", () => {
  it("affects the resource, and is called an event of the tenant", () => {
    const event = {
      id: "/T",
      name: "AB12-T",
      properties: { title: "Outage", status: "Active", eventType: "ServiceIssue", eventLevel: "Critical" },
    } as const
    const impacted = new Map([["ab12-t", { items: [{ properties: { targetResourceId: id } }], invalid: 0 }]])
    const resources = { source: "a", statuses: [status()], invalid: 0, failed: [], impacted }
    const snapshot = world({ events: [event], tenant: { events: [event] }, resources })
    const { color, state, title } = page(snapshot)
    expect([title, color]).toEqual(["1 affected", "Critical"])
    expect(state).toMatch(/^1 resource is available, and may be affected Available web-1 .*Platform, confirmed/)
    expect(text(HtmlReport.make(snapshot))).toMatch(/AB12-T · Service issue the tenant updated/)
  })
})

describe("a page of selected events", () => {
  it("says nothing of those that are not selected", () => {
    const { empty, state } = page(world({ isFiltered: true }, status()))
    expect(state).toContain("no selected active issue elsewhere")
    expect(empty).toContain("No selected event in this period.")
  })
})
