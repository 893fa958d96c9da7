/** Rules for the events of every world. */
import { Events, HealthEvent, Priority, Timestamp } from "@vigil/health-schema"
import { World } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"

const now = Date.UTC(2026, 0, 15, 12)
const [minute, hour] = [60_000, 3_600_000]
const worlds = [1, 2, 3].map((seed) => World.make({ now, seed, subscriptions: 4 }))

const decode = HealthEvent.decode("2025-05-01")

/** An event with its decoded properties and the parts of its impact. */
const describeEvent = (world: World.World, one: World.WorldEvent) => {
  const event = Either.getOrThrow(decode(one.event))
  const properties = event.properties ?? {}
  const impact = properties.impact ?? []
  const regions = impact.flatMap(({ impactedRegions }) => impactedRegions ?? [])
  return { ...one, world, event, properties, impact, regions }
}

const all = worlds.flatMap((world) => world.events.map((one) => describeEvent(world, one)))

const ofType = (type: string) => all.filter(({ properties }) => properties.eventType === type)

const millis = (timestamp: Timestamp.Timestamp | null | undefined): number =>
  Option.match(Timestamp.instant(timestamp), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })

/** Some times are sent without milliseconds. */
const expectTime = (timestamp: Timestamp.Timestamp | null | undefined, expected: number) => {
  expect(Math.floor(millis(timestamp) / 1000)).toBe(Math.floor(expected / 1000))
}

describe("the subscriptions of a world", () => {
  it("have the environments and teams as names, and IDs that begin differently", () => {
    const [{ subscriptions }] = worlds as [World.World]
    expect(subscriptions.map(({ name }) => name)).toEqual(["Production", "Staging", "Team-3", "Team-4"])
    expect(subscriptions.map(({ id }) => id.split("-")[0])).toEqual(["a0000001", "b0000002", "c0000003", "c0000004"])
    for (const { id } of subscriptions)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it("have six resources of different services each, in a group with their name", () => {
    for (const { resources, subscriptions } of worlds)
      for (const { id, name } of subscriptions) {
        const own = resources.filter(({ subscription }) => subscription === id)
        const group = `/subscriptions/${id}/resourceGroups/${name.toLowerCase()}/providers/Vendor.`
        expect(own.map(({ uri }) => uri.split("/").at(-1))).toEqual([
          "web-1",
          "web-2",
          "orders",
          "archive",
          "images",
          "edge",
        ])
        expect(own.filter(({ uri }) => uri.startsWith(group))).toHaveLength(6)
        expect(new Set(own.map(({ service }) => service)).size).toBe(6)
      }
  })

  it("share about one in twenty events from the third on", () => {
    for (const { events, subscriptions } of worlds)
      for (const { id } of subscriptions.slice(2)) {
        const shared = events.filter((event) => event.subscriptions.includes(id)).length
        expect(shared).toBeGreaterThan(5)
        expect(shared).toBeLessThan(60)
      }
  })
})

describe("an event of a world", () => {
  it("is identified by a short tracking ID", () => {
    for (const { event } of all) {
      expect(event.name).toMatch(/^[B-Z0-9]{4}-[B-Z0-9]{3}$/)
      expect(event.type).toBe("/providers/Vendor.ResourceHealth/events")
      expect(event.id).toBe(`${event.type}/${event.name}`)
    }
    const locations = all.map(({ event }) => event.location)
    expect(new Set(locations)).toEqual(new Set([undefined, "global"]))
  })

  it("was updated at the time of its entry", () => {
    for (const { lastUpdate, properties } of all) {
      expectTime(properties.lastUpdateTime, lastUpdate)
      expect(lastUpdate).toBeLessThan(now)
    }
  })

  it("has times in every format of the service", () => {
    const formats = all.map(({ properties }) => properties.lastUpdateTime?.replaceAll(/\d/g, "0"))
    expect(new Set(formats)).toEqual(
      new Set([
        "0000-00-00T00:00:00Z",
        "0000-00-00T00:00:00.000Z",
        "0000-00-00T00:00:00.0000000Z",
        "0000-00-00T00:00:00",
      ]),
    )
  })

  it("impacts one service in different regions", () => {
    for (const { impact, properties, regions } of all) {
      expect(impact).toHaveLength(1)
      expect(impact[0]?.impactedServiceGuid).toMatch(/^5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e(0[1-9]|10)$/)
      expect(regions.length).toBeGreaterThan(0)
      const names = regions.map(({ impactedRegion }) => impactedRegion)
      expect(new Set(names).size).toBe(names.length)
      if (properties.eventType === "Billing") expect(names).toEqual(["Global"])
    }
    expect(new Set(all.map(({ regions }) => regions.length))).toEqual(new Set([1, 2, 3, 4]))
  })

  it("impacts the resources of its service, regions and subscriptions", () => {
    // The regions of a bill are not those of its resources.
    for (const { impact, regions, resources, subscriptions, world } of all.filter(
      ({ properties }) => properties.eventType !== "Billing",
    )) {
      const isImpacted = (resource: World.Resource) =>
        resource.service === impact[0]?.impactedService &&
        regions.some(({ impactedRegion }) => impactedRegion === resource.region) &&
        subscriptions.includes(resource.subscription)
      expect(resources).toEqual(world.resources.filter(isImpacted).map(({ uri }) => uri))
    }
    expect(all.filter(({ resources }) => resources.length > 0).length).toBeGreaterThan(all.length / 2)
  })

  it("names its subscriptions in each region", () => {
    for (const { regions, subscriptions } of all) {
      expect(subscriptions.length).toBeGreaterThan(0)
      for (const region of regions) expect(region.impactedSubscriptions).toEqual(subscriptions)
    }
  })

  it("has the priority of its type, status and level", () => {
    for (const { event, properties } of all)
      expect(Option.fromNullable(properties.priority)).toEqual(Priority.derive(event))
  })

  it("has updates, the latest first and the latest of all at the time of its region", () => {
    for (const { lastUpdate, regions } of all)
      for (const { lastUpdateTime, updates } of regions) {
        const times = (updates ?? []).map(({ updateDateTime }) => millis(updateDateTime))
        expect(times.length).toBeGreaterThan(0)
        expect(times).toEqual(times.toSorted((a, b) => b - a))
        expect(times[0]).toBeLessThanOrEqual(lastUpdate)
        expect(millis(lastUpdateTime)).toBeLessThanOrEqual(lastUpdate)
        for (const { summary } of updates ?? []) expect(summary).toMatch(/\w/)
      }
  })

  it("is sensitive only as a security advisory", () => {
    for (const { properties } of all)
      expect(properties.isEventSensitive).toBe(properties.eventType === "SecurityAdvisory")
  })
})

describe("a service issue", () => {
  const issues = ofType("ServiceIssue")
  const active = issues.filter(({ properties }) => properties.status === "Active")
  const resolved = issues.filter(({ properties }) => properties.status === "Resolved")

  it("is active for eight hours at most", () => {
    expect(active.length).toBeGreaterThan(5)
    expect(resolved.length).toBeGreaterThan(active.length)
    expect(active.length + resolved.length).toBe(issues.length)
    for (const { lastUpdate } of active) expect(now - lastUpdate).toBeLessThan(8 * hour)
    expect(resolved.filter(({ lastUpdate }) => now - lastUpdate < 8 * hour).length).toBeGreaterThan(0)
  })

  it("says whether it is active", () => {
    for (const { properties } of active) {
      expect(properties.title).toMatch(/^Active: /)
      expect(properties.eventTags).toEqual(["Action Recommended"])
      expect(properties.article?.articleContent).toContain("Recovery is in progress.")
    }
    for (const { properties } of resolved) {
      expect(properties.title).not.toMatch(/^Active/)
      expect(["Preliminary PIR", "Final PIR", "False Positive"]).toContain(properties.eventTags?.[0])
      expect(properties.article?.articleContent).toContain("Service was restored in full.")
    }
  })

  it("ends with its last update if it is resolved", () => {
    for (const { lastUpdate, properties } of resolved) {
      const start = millis(properties.impactStartTime)
      expectTime(properties.impactMitigationTime, lastUpdate)
      expect(Math.abs((properties.duration ?? 0) - (lastUpdate - start) / 1000)).toBeLessThanOrEqual(1)
      expect(lastUpdate - start).toBeGreaterThan(4 * 35 * minute)
    }
    const ends = new Set(active.map(({ properties }) => properties.impactMitigationTime))
    expect(ends).toEqual(new Set([undefined, "0001-01-01T00:00:00"]))
    for (const { properties } of active) expect(properties.duration).toBeUndefined()
  })

  it("has an update every 35 minutes in each region, and four if it is resolved", () => {
    for (const { properties, regions } of issues)
      for (const [region, { lastUpdateTime, updates }] of regions.entries()) {
        const times = (updates ?? []).map(({ updateDateTime }) => millis(updateDateTime))
        const start = millis(properties.impactStartTime)
        for (const [index, time] of times.toReversed().entries())
          expect(Math.abs(time - start - (region + index * 35) * minute)).toBeLessThan(2000)
        expect(millis(lastUpdateTime)).toBeGreaterThan(start)
      }
    expect(new Set(active.map(({ regions }) => regions[0]?.updates?.length))).toEqual(new Set([1, 2, 3]))
    expect(new Set(resolved.map(({ regions }) => regions[0]?.updates?.length))).toEqual(new Set([4]))
  })

  it("has a high incident rate only if it is critical", () => {
    const rated = issues.filter(({ properties }) => properties.isHIR)
    expect(rated.length).toBeGreaterThan(3)
    for (const { properties } of issues) {
      const stage = properties.status === "Active" ? "active" : "resolved"
      expect(properties.hirStage).toBe(properties.isHIR ? stage : undefined)
      expect(properties.level).toBe(properties.eventLevel === "Critical" ? "Critical" : "Warning")
      if (properties.isHIR) expect(properties.eventLevel).toBe("Critical")
    }
    const levels = new Set(issues.map(({ properties }) => properties.eventLevel))
    expect(levels).toEqual(new Set(["Critical", "Error", "Warning", "Informational"]))
  })

  it("recommends actions, answers a question and links to more", () => {
    for (const { event, properties } of issues) {
      expect(properties.recommendedActions?.actions?.map(({ groupId }) => groupId)).toEqual([1, 2])
      expect(properties.faqs).toHaveLength(1)
      expect(properties.links?.map(({ type }) => type)).toEqual(["Hyperlink", "Button"])
      for (const { parameters } of properties.links ?? []) expect(parameters).toMatchObject({ trackingId: event.name })
      expect(properties.article?.articleId).toBe(`${event.name}-1`)
      expect(properties.externalIncidentId).toMatch(/^\d{9}$/)
    }
  })
})

describe("the other events of a world", () => {
  it("have maintenance with a window, which is over if it is resolved", () => {
    for (const { event, lastUpdate, properties } of ofType("PlannedMaintenance")) {
      const [start, end] = [millis(properties.impactStartTime), millis(properties.impactMitigationTime)]
      expect(end - start).toBeGreaterThanOrEqual(2 * hour)
      expect(end - start).toBeLessThanOrEqual(12 * hour)
      expect(Math.abs((properties.duration ?? 0) - (end - start) / 1000)).toBeLessThan(1)
      expect(start).toBeGreaterThanOrEqual(lastUpdate - 20 * hour - 1000)
      expect(start).toBeLessThanOrEqual(lastUpdate + 240 * hour)
      expect(properties.status).toBe(end < now ? "Resolved" : "Active")
      expect(Option.isSome(Events.interval(event))).toBe(true)
    }
  })

  it("have advisories, of which some announce a retirement", () => {
    const advisories = ofType("HealthAdvisory")
    for (const { lastUpdate, properties } of advisories) {
      if (properties.status === "Active") expect(properties.impactMitigationTime).toBe("")
      else expectTime(properties.impactMitigationTime, lastUpdate)
      expect(millis(properties.impactStartTime)).toBeLessThanOrEqual(lastUpdate - 24 * hour)
      expect(properties.title?.startsWith("Retirement notice")).toBe(properties.eventSubType === "Retirement")
    }
    expect(new Set(advisories.map(({ properties }) => properties.eventSubType))).toEqual(
      new Set([undefined, "Retirement"]),
    )
  })

  it("have reviews after the end of the impact", () => {
    for (const { lastUpdate, properties } of ofType("RCA")) {
      const [start, end] = [millis(properties.impactStartTime), millis(properties.impactMitigationTime)]
      expect(start).toBeLessThan(end)
      expect(end).toBeLessThanOrEqual(lastUpdate - 30 * hour)
      expect(start).toBeLessThanOrEqual(lastUpdate - 60 * hour)
      expect([properties.status, properties.header, properties.eventTags]).toEqual(["Resolved", null, ["Final PIR"]])
    }
  })

  it("have emerging issues that started up to five hours before their update", () => {
    for (const { lastUpdate, properties } of ofType("EmergingIssues")) {
      const age = lastUpdate - millis(properties.impactStartTime)
      expect(age).toBeGreaterThanOrEqual(hour)
      expect(age).toBeLessThanOrEqual(5 * hour + 1000)
    }
  })

  it("have security advisories that started days before their update", () => {
    for (const { lastUpdate, properties } of ofType("SecurityAdvisory")) {
      expect(millis(properties.impactStartTime)).toBeLessThanOrEqual(lastUpdate - 48 * hour)
      expect(["Critical", "Warning"]).toContain(properties.eventLevel)
    }
  })

  it("have bills with a rate and a currency", () => {
    const bills = ofType("Billing")
    for (const { lastUpdate, properties } of bills) {
      expectTime(properties.impactStartTime, lastUpdate)
      expect(properties.billingId).toMatch(/^\d{6}$/)
      expect(properties.currencyType).toMatch(/^[A-Z]{3}$/)
      expect(properties.oldRate).toBeGreaterThanOrEqual(0.1)
      expect(properties.oldRate).toBeLessThanOrEqual(0.9)
      expect(properties.newRate).toBeGreaterThan(0)
      expect(properties.newRate).toBeLessThanOrEqual(1.2)
      const words = properties.title?.replaceAll(/(?<=\w) (?=\w)/g, "").toLowerCase()
      expect(words).toContain(`billing: ${properties.eventSubType?.toLowerCase()}for`)
    }
    expect(bills.some(({ properties }) => properties.newRate === 1)).toBe(true)
  })
})
