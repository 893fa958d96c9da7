import { describe, expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { names, start } from "./service.js"

const second = 1_000
const changeEvery = "30 seconds"
/** A time at which an event opens. */
const now = Date.UTC(2026, 0, 15, 12)
const seeded = World.make({ now: now - second })

const advance = (seconds: number, every: Parameters<typeof World.advance>[0]["changeEvery"] = changeEvery) =>
  World.advance({ changeEvery: every, now: now + seconds * second })

/** The changing events of a subscription, newest first. */
const changing = ({ events }: World.World, id = seeded.subscriptions[0].id) => {
  const known = new Set(names(seeded.events.map(({ event }) => event)))
  return events.filter(({ event, subscriptions }) => subscriptions.includes(id) && !known.has(event.name))
}

const updatesOf = ({ event }: World.WorldEvent) => event.properties?.impact?.[0]?.impactedRegions?.[0]?.updates ?? []

describe("advancing the world", () => {
  it("opens, updates and resolves one event of each subscription, one change per interval", () => {
    for (const { id } of seeded.subscriptions) {
      const states = [0, 30, 60, 90, 120].map((seconds) => {
        const [newest, ...others] = changing(advance(seconds)(seeded), id)
        if (newest === undefined) return []
        const { name, properties } = newest.event
        expect(newest.lastUpdate).toBe(now + seconds * second)
        expect(newest.resources).toHaveLength(1)
        return [name, properties?.status, updatesOf(newest).length, properties?.impactType, others.length]
      })
      const [name, next] = [states[0]?.[0], states[4]?.[0]]
      expect(states).toEqual([
        [name, "Active", 1, "Availability", 0],
        [name, "Active", 2, "Availability", 0],
        [name, "Active", 3, "Availability", 0],
        [name, "Resolved", 4, "Availability", 0],
        [next, "Active", 1, "Availability", 1],
      ])
      expect(next).not.toBe(name)
    }
  })

  it("creates the same events for the same time, regardless of the steps", () => {
    const world = advance(1_000)(seeded)
    const steps = Array.from({ length: 101 }, (_, index) => index * 10)
    expect(steps.reduce((old, seconds) => advance(seconds)(old), seeded)).toEqual(world)
    expect(changing(world)).toHaveLength(9)
    expect(world.events.map(({ lastUpdate }) => lastUpdate)).toEqual(
      world.events.map(({ lastUpdate }) => lastUpdate).toSorted((a, b) => b - a),
    )
  })

  it("creates the events of a subscription from its ID only, with unique names", () => {
    const wide = advance(1_000)(World.make({ now: now - second, subscriptions: 40 }))
    const [{ id }] = seeded.subscriptions
    expect(changing(wide, id).filter(({ subscriptions }) => subscriptions.length === 1)).toEqual(
      changing(advance(1_000)(seeded)),
    )
    const ofSubscriptions = wide.events.filter(({ subscriptions }) => subscriptions.length > 0)
    expect(new Set(names(ofSubscriptions.map(({ event }) => event))).size).toBe(480 + 40 * 9)
  })
})

describe("a sandbox that changes", () => {
  it.effect("serves the events of the current clock time", () =>
    Effect.gen(function* () {
      const { current, events, list, world } = yield* start({ now: now + 60 * second, changeEvery })
      expect(changing(world).map(updatesOf)).toMatchObject([{ length: 3 }])
      const before = yield* events(list())
      expect(before[0]?.properties["status"]).toBe("Active")
      yield* TestClock.adjust("29 seconds")
      expect(yield* events(list())).toEqual(before)
      yield* TestClock.adjust("1 second")
      const after = yield* events(list())
      expect(names(after)).toEqual(names(before))
      expect(after[0]?.properties["status"]).toBe("Resolved")
      yield* TestClock.adjust("30 seconds")
      expect(names(yield* events(list()))).toEqual([expect.any(String), ...names(before)])
      expect((yield* current).now).toBe(now + 120 * second)
    }),
  )

  it.effect("keeps other changes until its next scheduled change", () =>
    Effect.gen(function* () {
      const { change, current, world } = yield* start({ now, changeEvery })
      yield* change((old) => ({ ...old, events: [] }))
      yield* TestClock.adjust("29 seconds")
      expect((yield* current).events).toEqual([])
      yield* TestClock.adjust("1 second")
      expect((yield* current).events).toEqual(
        world.subscriptions.flatMap(({ id }) => changing(advance(30)(seeded), id)),
      )
    }),
  )
})
