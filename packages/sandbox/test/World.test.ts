import { createHash } from "node:crypto"
import { HealthEvent } from "@vigil/health-schema"
import { World } from "@vigil/sandbox"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const now = Date.UTC(2026, 0, 15, 12)
const world = World.make({ now })
const day = 24 * 60 * 60 * 1000

const isOfSubscription = ({ subscriptions }: World.WorldEvent) => subscriptions.length > 0

const count = (kind: string) => world.events.filter(({ event }) => event.properties?.eventType === kind).length

describe("the world", () => {
  it("depends only on seed and now", () => {
    expect(World.make({ now })).toEqual(world)
    expect(World.make({ now, seed: 2 }).events[0]).not.toEqual(world.events[0])
  })

  it("has the same events in every version of the package", () => {
    const later = World.advance({ now: now + 5 * day, changeEvery: "1 hour" })(
      World.make({ now, seed: 7, subscriptions: 5 }),
    )
    const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16)
    const hashOfSubscriptions = ({ events, now, resources, subscriptions, vendor }: World.World) =>
      hashOf({ now, vendor, subscriptions, resources, events: events.filter(isOfSubscription) })
    const hashOfOthers = ({ emergingIssues, events }: World.World) =>
      hashOf({ emergingIssues, events: events.filter((one) => !isOfSubscription(one)) })
    expect([world, later].map(hashOfSubscriptions)).toEqual(["c162f8df46a1e66c", "75c1db71698898a7"])
    expect([world, later].map(hashOfOthers)).toEqual(["21e2b3ae92a0b25c", "e0ea1a81d411293b"])
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

  it("has events of each type", () => {
    const types = "ServiceIssue PlannedMaintenance HealthAdvisory SecurityAdvisory Billing RCA EmergingIssues"
    for (const type of types.split(" ")) expect(count(type)).toBeGreaterThan(3)
  })

  it.each([
    [1, now],
    [2, 0],
    [3, -1.5],
    [4, now + 0.25],
  ])("has only valid events, for seed %d at %d", (seed, at) => {
    const decode = HealthEvent.decode("2025-05-01")
    for (const { event } of World.make({ seed, now: at }).events) expect(Result.getOrThrow(decode(event))).toBe(event)
  })

  it("is sorted, newest first, without events near the limit of three days", () => {
    const ages = world.events.map(({ lastUpdate }) => now - lastUpdate)
    expect(ages).toEqual(ages.toSorted((a, b) => a - b))
    expect(ages.filter((age) => Math.abs(age - 3 * day) < day / 24)).toEqual([])
  })
})

describe("a world with more subscriptions", () => {
  const wide = World.make({ now, subscriptions: 40 })
  const serializeEvents = ({ events }: World.World) =>
    JSON.stringify(
      events.map(({ event }) => event),
      (name, value: unknown) => (name === "impactedSubscriptions" ? undefined : value),
    )

  it("has the same events, with the same first two subscriptions", () => {
    const [first, second] = wide.subscriptions
    expect([first, second]).toEqual(world.subscriptions)
    const known = new Set([first.id, second.id])
    expect(serializeEvents(wide)).toBe(serializeEvents(world))
    for (const [index, { subscriptions }] of wide.events.entries())
      expect(subscriptions.filter((id) => known.has(id))).toEqual(world.events[index]?.subscriptions)
    expect(wide.resources.slice(0, 12)).toEqual(world.resources)
  })

  it.each([2, 1, -1, Number.NaN])("has two subscriptions for %d", (subscriptions) => {
    expect(World.make({ now, subscriptions })).toEqual(world)
  })
})

describe("changing the world", () => {
  const known = world.events.find(isOfSubscription)
  const event = (id: string | undefined, lastUpdate: number): World.WorldEvent => ({
    event: id === undefined ? {} : { id },
    lastUpdate,
    subscriptions: [world.subscriptions[0].id],
    resources: [],
  })

  it("inserts an event by its last update, before others of the same time", () => {
    const put = World.put(event("new", world.events[9]?.lastUpdate ?? 0))(world)
    expect(put.events.toSpliced(9, 1)).toEqual(world.events)
    expect(put.events[9]?.event.id).toBe("new")
    expect(World.put(event("old", 0))(world).events.at(-1)?.event.id).toBe("old")
    expect(world.events.filter(isOfSubscription)).toHaveLength(480)
  })

  it("replaces an event with the same ID", () => {
    const put = World.put(event(known?.event.id ?? "", 0))(world)
    expect(put.events).toHaveLength(world.events.length)
    expect(put.events.at(-1)).toEqual(event(known?.event.id ?? "", 0))
  })
})
