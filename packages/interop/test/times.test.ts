import { afterAll, beforeAll, expect, it, vi } from "@effect/vitest"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { collect, pagesOf, start } from "./contenders.js"
import { instant, times } from "./row.js"

const hour = 3_600_000

// A zone that is never UTC, without daylight saving time.
beforeAll(() => {
  vi.stubEnv("TZ", "Asia/Kolkata")
})
afterAll(() => {
  vi.unstubAllEnvs()
})

/** Every time of a world, with the result of each client. */
const readings = Effect.gen(function* () {
  const { official, ours, world } = yield* start(1)
  const [{ id }] = world.subscriptions
  const theirs = yield* collect(pagesOf(official(id, "2025-05-01").listBySubscriptionId()))
  const events = yield* collect(ours.listBySubscription(SubscriptionId.make(id)))
  return Arr.zip(theirs.flat(), events).flatMap(([their, { properties }]) =>
    times.map((field) => {
      const text = properties?.[field]
      return { text, ours: instant(text), theirs: their[field] }
    }),
  )
})

it.live("returns the same instant from both clients for a time with a zone, to the millisecond", () =>
  Effect.gen(function* () {
    const zoned = (yield* readings).filter(({ text }) => text?.endsWith("Z"))
    expect(zoned.map(({ theirs }) => theirs?.getTime())).toEqual(zoned.map(({ ours }) => ours))
    expect(zoned.some(({ text }) => /\.\d{7}Z$/.test(text ?? ""))).toBe(true)
  }),
)

it.live("reads a time without a zone as UTC, the official client as local time", () =>
  Effect.gen(function* () {
    const zoneless = (yield* readings).filter(({ text }) => /^2\d{3}.*\d$/.test(text ?? ""))
    expect(zoneless.map(({ theirs }) => theirs?.getTime())).toEqual(zoneless.map(({ ours = 0 }) => ours - 5.5 * hour))
    expect(zoneless.length).toBeGreaterThan(0)
  }),
)

it.live("has no instant for the year 0001, the official client a date", () =>
  Effect.gen(function* () {
    const never = (yield* readings).filter(({ text }) => text === "0001-01-01T00:00:00")
    expect(never.length).toBeGreaterThan(0)
    for (const { ours, theirs } of never) {
      expect(ours).toBeUndefined()
      expect(theirs?.getFullYear()).toBe(1)
    }
  }),
)

it.live("has no instant for an empty text, the official client an Invalid Date", () =>
  Effect.gen(function* () {
    const empty = (yield* readings).filter(({ text }) => text === "")
    expect(empty.length).toBeGreaterThan(0)
    for (const { ours, theirs } of empty) {
      expect(ours).toBeUndefined()
      expect(theirs?.getTime()).toBeNaN()
    }
  }),
)

it.live("has no instant for a missing time, and neither has the official client", () =>
  Effect.gen(function* () {
    const absent = (yield* readings).filter(({ text }) => text === undefined || text === null)
    expect(absent.length).toBeGreaterThan(0)
    for (const { ours, theirs } of absent) {
      expect(ours).toBeUndefined()
      expect(theirs ?? undefined).toBeUndefined()
    }
  }),
)
