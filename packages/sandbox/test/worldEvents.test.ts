/** Rules for the events of every world. */
import { Priority } from "@vigil/health-schema"
import type { World } from "@vigil/sandbox"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { all, expectTime, millis, now, worlds } from "./worldEvents.js"

describe("the subscriptions of a world", () => {
  it("have the environments and teams as names, and IDs that begin differently", () => {
    const [{ subscriptions }] = worlds() as [World.World]
    expect(subscriptions.map(({ name }) => name)).toEqual(["Production", "Staging", "Team-3", "Team-4"])
    expect(subscriptions.map(({ id }) => id.split("-")[0])).toEqual(["a0000001", "b0000002", "c0000003", "c0000004"])
    for (const { id } of subscriptions)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it("have six resources of different services each, in a group with their name", () => {
    for (const { resources, subscriptions } of worlds())
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
        for (const { uri } of own) {
          expect(uri.startsWith(group)).toBe(true)
          expect(uri.slice(group.length)).toMatch(/^[A-Z]\w+\/[a-z]\w+\/[a-z0-9-]+$/)
        }
        expect(new Set(own.map(({ service }) => service)).size).toBe(6)
      }
  })

  it("share about one in twenty events from the third on", () => {
    for (const { events, subscriptions } of worlds())
      for (const { id } of subscriptions.slice(2)) {
        const shared = events.filter((event) => event.subscriptions.includes(id)).length
        expect(shared).toBeGreaterThan(5)
        expect(shared).toBeLessThan(60)
      }
  })
})

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

  it("has times in every format of the service", () => {
    const formats = all().map(({ properties }) => properties.lastUpdateTime?.replaceAll(/\d/g, "0"))
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

  it("names its subscriptions in each region", () => {
    for (const { regions, subscriptions } of all()) {
      expect(subscriptions.length).toBeGreaterThan(0)
      for (const region of regions) expect(region.impactedSubscriptions).toEqual(subscriptions)
    }
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
