/** Rules for the events of every world. */
import { Priority } from "@vigil/health-schema"
import type { World } from "@vigil/sandbox"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { all, expectTime, millis, now } from "./worldEvents.js"

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

  it("impacts one service in different regions", () => {
    for (const { impact, properties, regions } of all()) {
      expect(impact).toHaveLength(1)
      expect(impact[0]?.impactedServiceGuid).toMatch(/^5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e(0[1-9]|10)$/)
      expect(regions.length).toBeGreaterThan(0)
      const names = regions.map(({ impactedRegion }) => impactedRegion)
      expect(new Set(names).size).toBe(names.length)
      if (properties.eventType === "Billing") expect(names).toEqual(["Global"])
    }
    expect(new Set(all().map(({ regions }) => regions.length))).toEqual(new Set([1, 2, 3, 4]))
  })

  it("impacts the resources of its service, regions and subscriptions", () => {
    // The regions of a bill are not those of its resources.
    for (const { impact, regions, resources, subscriptions, world } of all().filter(
      ({ properties }) => properties.eventType !== "Billing",
    )) {
      const isImpacted = (resource: World.Resource) =>
        resource.service === impact[0]?.impactedService &&
        regions.some(({ impactedRegion }) => impactedRegion === resource.region) &&
        subscriptions.includes(resource.subscription)
      expect(resources).toEqual(world.resources.filter(isImpacted).map(({ uri }) => uri))
    }
    expect(all().filter(({ resources }) => resources.length > 0).length).toBeGreaterThan(all().length / 2)
  })

  it("has the priority of its type, status and level", () => {
    for (const { event, properties } of all())
      expect(Option.fromNullable(properties.priority)).toEqual(Priority.derive(event))
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
