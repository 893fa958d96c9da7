/** Rules for the events of every world. */
import { HealthEvent, Timestamp } from "@vigil/health-schema"
import { World } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"

const now = Date.UTC(2026, 0, 15, 12)

const decode = HealthEvent.decode("2025-05-01")

/** An event with its decoded properties and the parts of its impact. */
const describeEvent = (world: World.World, one: World.WorldEvent) => {
  const event = Result.getOrThrow(decode(one.event))
  const properties = event.properties ?? {}
  const impact = properties.impact ?? []
  const regions = impact.flatMap(({ impactedRegions }) => impactedRegions ?? [])
  return { ...one, world, event, properties, impact, regions }
}

let madeWorlds: ReadonlyArray<World.World> | undefined
let madeEvents: ReadonlyArray<ReturnType<typeof describeEvent>> | undefined

/** The worlds of two seeds, made once. */
const worlds = () => (madeWorlds ??= [1, 2].map((seed) => World.make({ now, seed, subscriptions: 4 })))

/** The events of all worlds. */
const all = () => (madeEvents ??= worlds().flatMap((world) => world.events.map((one) => describeEvent(world, one))))

const millis = (timestamp: Timestamp.Timestamp | null | undefined): number =>
  Option.match(Timestamp.instant(timestamp), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })

/** Some times are sent without milliseconds. */
const expectTime = (timestamp: Timestamp.Timestamp | null | undefined, expected: number): void => {
  expect(Math.floor(millis(timestamp) / 1000)).toBe(Math.floor(expected / 1000))
}

describe("an event of a world", () => {
  it("is identified by a short tracking ID", () => {
    for (const { event } of all()) {
      expect(event.name).toMatch(/^[B-Z0-9]{4}-[B-Z0-9]{3}$/)
      expect(event.type).toBe("/providers/Vendor.ResourceHealth/events")
      expect(event.id).toBe(`${event.type}/${event.name}`)
    }
    const locations = all().map(({ event }) => event.location)
    expect(new Set(locations)).toEqual(new Set([undefined, "global"]))
  })

  it("has its `lastUpdate` as update time", () => {
    for (const { lastUpdate, properties } of all()) {
      expectTime(properties.lastUpdateTime, lastUpdate)
      expect(lastUpdate).toBeLessThan(now)
    }
  })

  it("impacts the resources of its service, regions and subscriptions", () => {
    // The regions of a bill are not those of its resources. An event of the tenant lists what no subscription lists.
    for (const { impact, regions, resources, subscriptions, world } of all().filter(
      ({ properties, subscriptions }) => properties.eventType !== "Billing" && subscriptions.length > 0,
    )) {
      const isImpacted = (resource: World.Resource) =>
        resource.service === impact[0]?.impactedService &&
        regions.some(({ impactedRegion }) => impactedRegion === resource.region) &&
        subscriptions.includes(resource.subscription)
      expect(resources).toEqual(world.resources.filter(isImpacted).map(({ uri }) => uri))
    }
    expect(all().filter(({ resources }) => resources.length > 0).length).toBeGreaterThan(all().length / 2)
  })

  it("has updates, the latest first, none after the event's last update", () => {
    for (const { lastUpdate, regions } of all())
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
    for (const { properties } of all())
      expect(properties.isEventSensitive).toBe(properties.eventType === "SecurityAdvisory")
  })
})
