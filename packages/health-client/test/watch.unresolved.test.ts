/** How long a watch knows an unresolved event that complete lists leave out. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { begin, day, event, failing, hour, now, once, told } from "./watched.js"

const a = event("a", now - hour)
/** An event without an update time, which lists may leave out at any time. */
const undated = { id: "undated", name: "name of undated", properties: { status: "Active" } }

/** What a reading a day tells, for so many days. */
const daily = <E>(days: number, reading: Effect.Effect<ReadonlyArray<string>, E>) =>
  Effect.map(
    Effect.forEach(Array.from({ length: days }), () => Effect.zipRight(TestClock.adjust("1 day"), reading)),
    (all) => all.flat(),
  )

const eventsOf = (text: string | undefined): number =>
  (JSON.parse(text ?? "") as { readonly entries: ReadonlyArray<unknown> }).entries.length

describe("an unresolved event that complete lists lack", () => {
  it.scoped("is kept for 90 days after the first of them, over restarts", () =>
    Effect.gen(function* () {
      const { list, reading } = yield* begin(a)
      expect(yield* reading).toEqual(["Appeared a"])
      // Lists reach back to 3 days before the last one that was kept: that of the fifth day is the first without it.
      expect(yield* daily(94, reading)).toEqual([])
      list.entries = [event("a", now + 94 * day, { title: "Still slow" })]
      expect(yield* reading).toEqual(["Updated a"])
    }),
  )

  it.scoped("is then forgotten, and is Appeared if it returns", () =>
    Effect.gen(function* () {
      const { list, reading, writes } = yield* begin(a)
      yield* reading
      expect(yield* daily(95, reading)).toEqual([])
      expect(writes.at(-1)).not.toContain('"a"')
      list.entries = [event("a", now + 95 * day, { title: "Still slow" })]
      expect(yield* reading).toEqual(["Appeared a"])
    }),
  )

  it.scoped("is forgotten after `unresolvedRetention`, also without an update time", () =>
    Effect.gen(function* () {
      const { list, watch, writes } = yield* begin(undated)
      const reading = Effect.suspend(() => told(watch({ ...once, unresolvedRetention: "5 days" })))
      expect(yield* reading).toEqual(["Appeared undated"])
      list.entries = []
      expect(yield* daily(5, reading)).toEqual([])
      expect(writes.at(-1)).toContain('"undated"')
      expect(yield* daily(1, reading)).toEqual([])
      expect(writes.at(-1)).not.toContain('"undated"')
    }),
  )

  it.scoped("is kept for the whole time again once a list contains it", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* begin(undated)
      const reading = Effect.suspend(() => told(watch({ ...once, unresolvedRetention: "5 days" })))
      yield* reading
      for (const _ of [1, 2]) {
        list.entries = []
        expect(yield* daily(5, reading)).toEqual([])
        list.entries = [undated]
        expect(yield* daily(1, reading)).toEqual([])
      }
    }),
  )

  it.scoped("is kept while lists fail, or while an invalid entry has its name", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* begin(undated, a)
      list.pageSize = 1
      const options = { ...once, unresolvedRetention: "1 day", onInvalid: () => Effect.void } as const
      yield* told(watch(options))
      list.entries = [event("b", now), event("c", now)]
      const requests = list.asked.length
      list.before = (request) => ((request - requests) % 2 === 1 ? 500 : undefined)
      expect((yield* failing(watch(options))).error).toMatchObject({ _tag: "ServiceError" })
      yield* TestClock.adjust("2 days")
      expect((yield* failing(watch(options))).error).toMatchObject({ _tag: "ServiceError" })
      list.before = () => undefined
      list.entries = [{ ...undated, properties: { priority: 99 } }]
      yield* daily(3, told(watch(options)))
      list.entries = [undated]
      expect(yield* told(watch(options))).toEqual([])
    }),
  )

  it.scoped("does not let the state grow beyond the lists of that time", () =>
    Effect.gen(function* () {
      const { list, watch, writes } = yield* begin()
      for (let at = 1; at <= 60; at += 1) {
        yield* TestClock.adjust("1 day")
        list.entries = [...list.entries, event(`${at}`, now + at * day), event(`again ${at}`, now + at * day)]
        expect(yield* told(watch({ ...once, unresolvedRetention: "10 days" }))).toEqual([
          `Appeared ${at}`,
          `Appeared again ${at}`,
        ])
        // Five days of events are listed, and those of ten more are known.
        expect(eventsOf(writes.at(-1))).toBeLessThanOrEqual(2 * 15)
      }
      expect(eventsOf(writes.at(-1))).toBe(2 * 15)
    }),
  )

  it.scoped("is written as missing once, not at every list", () =>
    Effect.gen(function* () {
      const { reading, writes } = yield* begin(a)
      yield* reading
      yield* daily(5, reading)
      const { length } = writes
      for (const _ of [1, 2, 3]) expect(yield* reading).toEqual([])
      expect(writes).toHaveLength(length)
    }),
  )
})
