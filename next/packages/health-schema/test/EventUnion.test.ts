import { EventUnion, type HealthEvent, type Impact, type Timestamp } from "@vigil/health-schema"
import { describe, expect, it } from "vitest"

const timeAt = (hour: number) => `2026-03-01T0${hour}:00:00Z` as Timestamp.Timestamp

const event = (
  hour: number | undefined,
  impact: ReadonlyArray<Impact.Impact> | null | undefined,
  more: HealthEvent.Properties = {},
): HealthEvent.HealthEvent => ({
  name: "AAAA-000",
  properties: {
    ...more,
    ...(hour === undefined ? {} : { lastUpdateTime: timeAt(hour) }),
    ...(impact === undefined ? {} : { impact }),
  },
})

const region = (
  impactedRegion: string,
  subscriptions: ReadonlyArray<string>,
  more: Impact.ImpactedServiceRegion = {},
): Impact.ImpactedServiceRegion => ({ impactedRegion, impactedSubscriptions: subscriptions, ...more })

const service = (impactedService: string, ...impactedRegions: ReadonlyArray<Impact.ImpactedServiceRegion>) => ({
  impactedService,
  impactedRegions,
})

describe("the union of copies of an event", () => {
  it("has the fields of the last updated copy, in any order", () => {
    const copies = [event(1, [], { title: "old" }), event(3, [], { title: "new" }), event(undefined, [])] as const
    for (const order of [copies, copies.toReversed()] as const)
      expect(EventUnion.merge([...order] as [HealthEvent.HealthEvent])).toMatchObject({ properties: { title: "new" } })
  })

  it("has the latest fields of each region, with all updates once", () => {
    const [first, second] = [{ summary: "Investigating." }, { summary: "Mitigated." }]
    const union = EventUnion.merge([
      event(3, [
        service("Storage", region("A", [], { lastUpdateTime: timeAt(1), status: "Active", updates: [first] })),
        service("DNS", region("A", [], { status: "Active" })),
      ]),
      event(2, [
        service(
          "Storage",
          region("A", [], { lastUpdateTime: timeAt(2), status: "Resolved", updates: [second, first] }),
        ),
        service("DNS", region("A", [], { status: "Resolved" })),
      ]),
    ])
    expect(union.properties?.impact).toEqual([
      service("Storage", region("A", [], { lastUpdateTime: timeAt(2), status: "Resolved", updates: [second, first] })),
      service("DNS", region("A", [], { status: "Active" })),
    ])
  })

  it("omits fields that no copy has", () => {
    const union = EventUnion.merge([event(2, undefined), event(1, [{ impactedService: "DNS" }, {}])])
    expect(union.properties?.impact).toEqual([{ impactedService: "DNS" }, {}])
    expect(EventUnion.merge([event(2, undefined), event(1, undefined)]).properties).not.toHaveProperty("impact")
  })

  it("merges a service without a GUID with the first of the same name", () => {
    const named = (impactedService: string, impactedServiceGuid?: string): Impact.Impact =>
      impactedServiceGuid === undefined ? { impactedService } : { impactedService, impactedServiceGuid }
    const union = EventUnion.merge([
      event(3, [named("DNS"), named("Blob Storage", "g1")]),
      event(2, [named("DNS", "g3"), named("dns", "g2"), named("Storage", "g1")]),
      event(1, [named("Storage"), named("blob storage")]),
    ])
    expect(union.properties?.impact).toEqual([
      named("DNS", "g3"),
      named("Blob Storage", "g1"),
      named("dns", "g2"),
      named("Storage"),
    ])
  })

  it("merges the events of several lists by tracking ID, else by `id`", () => {
    const nameless = { properties: { title: "alone" } }
    const all = EventUnion.mergeByTrackingId([
      { ...event(1, [service("DNS")]), id: "/s1/A", name: "A" },
      nameless,
      { id: "/s1/B" },
      { ...event(2, [service("Storage")]), id: "/s2/a", name: "a" },
      { id: "/S1/B" },
      { ...nameless },
    ])
    expect(all.map(({ id, name }) => name ?? id)).toEqual(["a", undefined, "/s1/B", undefined])
    expect(all[0]?.properties?.impact).toEqual([service("Storage"), service("DNS")])
  })
})
