import { EventUnion, type HealthEvent, type Impact, type Timestamp } from "@vigil/health-schema"
import { describe, expect, it } from "vitest"

const at = (hour: number) => `2026-03-01T0${hour}:00:00Z` as Timestamp.Timestamp

const event = (
  hour: number | undefined,
  impact: ReadonlyArray<Impact.Impact> | null | undefined,
  more: HealthEvent.Properties = {},
): HealthEvent.HealthEvent => ({
  name: "AAAA-000",
  properties: {
    ...more,
    ...(hour === undefined ? {} : { lastUpdateTime: at(hour) }),
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

describe("the union of an event's sightings", () => {
  it("is the event itself, of one", () => {
    const one = event(1, [service("Storage", region("West Europe", ["s1"]))])
    expect(EventUnion.of([one])).toEqual(one)
    expect(EventUnion.of([{ name: "A" }])).toEqual({ name: "A", properties: {} })
  })

  it("is told by the one that was updated last, whichever comes first", () => {
    const sightings = [event(1, [], { title: "old" }), event(3, [], { title: "new" }), event(undefined, [])] as const
    for (const order of [sightings, sightings.toReversed()] as const)
      expect(EventUnion.of([...order] as [HealthEvent.HealthEvent])).toMatchObject({ properties: { title: "new" } })
  })

  it("is told by the first of those that were updated at the same time", () => {
    const sighting = EventUnion.of([event(1, null, { title: "first" }), event(1, null, { title: "second" })])
    expect(sighting.properties?.title).toBe("first")
  })

  it("has every service and region once, with the subscriptions and tenants of all", () => {
    const union = EventUnion.of([
      event(2, [service("Storage", region("West Europe", ["s1"], { impactedTenants: ["t1"] }))]),
      event(1, [
        service(
          "Storage",
          region("West Europe", ["s2", "s1"], { impactedTenants: ["t1", "t2"] }),
          region("Global", ["s2"]),
        ),
        service("Key Vault", region("West Europe", ["s2"])),
      ]),
    ])
    expect(union.properties?.impact).toEqual([
      service(
        "Storage",
        region("West Europe", ["s1", "s2"], { impactedTenants: ["t1", "t2"] }),
        region("Global", ["s2"]),
      ),
      service("Key Vault", region("West Europe", ["s2"])),
    ])
  })

  it("knows a service by its identifier, and else by its name", () => {
    const guid = "9f8c"
    const union = EventUnion.of([
      event(2, [{ impactedService: "Blob Storage", impactedServiceGuid: guid }, { impactedService: "DNS" }]),
      event(1, [
        { impactedService: "Storage", impactedServiceGuid: guid, impactedRegions: [region("Global", ["s1"])] },
        { impactedService: "DNS", impactedServiceGuid: "77aa" },
      ]),
    ])
    expect(union.properties?.impact).toEqual([
      { impactedService: "Blob Storage", impactedServiceGuid: guid, impactedRegions: [region("Global", ["s1"])] },
      { impactedService: "DNS", impactedServiceGuid: "77aa" },
    ])
  })

  it("has a region as its own last update tells it, with the updates of all, each once", () => {
    const [first, second] = [{ summary: "Investigating." }, { summary: "Mitigated." }]
    const union = EventUnion.of([
      event(3, [
        service("Storage", region("A", [], { lastUpdateTime: at(1), status: "Active", updates: [first] })),
        service("DNS", region("A", [], { status: "Active" })),
      ]),
      event(2, [
        service("Storage", region("A", [], { lastUpdateTime: at(2), status: "Resolved", updates: [second, first] })),
        service("DNS", region("A", [], { status: "Resolved" })),
      ]),
    ])
    expect(union.properties?.impact).toEqual([
      service("Storage", region("A", [], { lastUpdateTime: at(2), status: "Resolved", updates: [second, first] })),
      service("DNS", region("A", [], { status: "Active" })),
    ])
  })

  it("lacks what none of them has", () => {
    const union = EventUnion.of([event(2, undefined), event(1, [{ impactedService: "DNS" }, {}])])
    expect(union.properties?.impact).toEqual([{ impactedService: "DNS" }, {}])
    expect(EventUnion.of([event(2, undefined), event(1, undefined)]).properties).not.toHaveProperty("impact")
  })
})
