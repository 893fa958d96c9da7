import { HealthEvent } from "@vigil/health-schema"
import { World } from "@vigil/sandbox"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"

const now = Date.UTC(2026, 0, 15, 12)
const world = World.make({ now })
const day = 24 * 60 * 60 * 1000

const count = (kind: string) => world.events.filter(({ event }) => event.properties?.eventType === kind).length

describe("the world", () => {
  it("is the same for the same seed and now, and another for another seed", () => {
    expect(World.make({ now })).toEqual(world)
    expect(World.make({ now, seed: 2 }).events[0]).not.toEqual(world.events[0])
  })

  it("has hundreds of events in two subscriptions and a dozen resources", () => {
    expect(world.events.length).toBeGreaterThanOrEqual(240)
    expect(world.subscriptions).toHaveLength(2)
    expect(world.resources).toHaveLength(12)
    for (const { id } of world.subscriptions)
      expect(world.events.filter(({ subscriptions }) => subscriptions.includes(id)).length).toBeGreaterThan(100)
    expect(
      world.resources.filter(({ uri }) => world.events.some(({ resources }) => resources.includes(uri))),
    ).toHaveLength(12)
  })

  it.each([
    "ServiceIssue",
    "PlannedMaintenance",
    "HealthAdvisory",
    "SecurityAdvisory",
    "Billing",
    "RCA",
    "EmergingIssues",
  ])("has events of type %s", (kind) => {
    expect(count(kind)).toBeGreaterThan(3)
  })

  it("names every event once", () => {
    expect(new Set(world.events.map(({ event }) => event.name)).size).toBe(world.events.length)
  })

  it.each([
    [1, now],
    [2, 0],
    [3, -1.5],
    [4, now + 0.25],
  ])("is of the contract in every event, for seed %d at %d", (seed, at) => {
    const decode = HealthEvent.decode("2025-05-01")
    for (const { event } of World.make({ seed, now: at }).events) expect(Either.getOrThrow(decode(event))).toBe(event)
  })

  it("is sorted, newest first, and has nothing near the edge of three days", () => {
    const ages = world.events.map(({ lastUpdate }) => now - lastUpdate)
    expect(ages).toEqual(ages.toSorted((a, b) => a - b))
    expect(ages.filter((age) => Math.abs(age - 3 * day) < day / 24)).toEqual([])
  })

  it("tells incidents in timelines over several regions, newest update first", () => {
    const told = world.events.filter(({ event }) => (event.properties?.impact?.[0]?.impactedRegions?.length ?? 0) > 1)
    expect(told.length).toBeGreaterThan(20)
    const updates = told[0]?.event.properties?.impact?.[0]?.impactedRegions?.[0]?.updates ?? []
    expect(updates.length).toBeGreaterThan(0)
  })
})
