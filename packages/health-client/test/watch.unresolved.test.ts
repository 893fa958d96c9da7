/** How long a watch keeps unresolved events that are missing from complete lists. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { begin, day, event, failing, hour, now, once, changesOf } from "./watched.js"

const a = event("a", now - hour)
/** An event without an update time, which lists may omit. */
const undated = { id: "undated", name: "name of undated", properties: { status: "Active" } }

/** The changes of one poll per day, for this many days. */
const daily = <E>(days: number, poll: Effect.Effect<ReadonlyArray<string>, E>) =>
  Effect.map(
    Effect.forEach(Array.from({ length: days }), () => Effect.andThen(TestClock.adjust("1 day"), poll)),
    (all) => all.flat(),
  )

const eventsOf = (text: string | undefined): number =>
  (JSON.parse(text ?? "") as { readonly entries: ReadonlyArray<unknown> }).entries.length

describe("an unresolved event that is missing from complete lists", () => {
  it.effect("is forgotten after 90 days, and emitted as Appeared if it returns", () =>
    Effect.gen(function* () {
      const { list, poll, writes } = yield* begin(a)
      yield* poll
      expect(yield* daily(95, poll)).toEqual([])
      expect(writes.at(-1)).not.toContain('"a"')
      list.entries = [event("a", now + 95 * day, { title: "Still slow" })]
      expect(yield* poll).toEqual(["Appeared a"])
    }),
  )

  it.effect("is kept while lists fail, or while an invalid entry has its name", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* begin(undated, a)
      list.pageSize = 1
      const options = { ...once, unresolvedRetention: "1 day", onInvalid: () => Effect.void } as const
      yield* changesOf(watch(options))
      list.entries = [event("b", now), event("c", now)]
      const requests = list.requests.length
      list.before = (request) => ((request - requests) % 2 === 1 ? 500 : undefined)
      expect((yield* failing(watch(options))).error).toMatchObject({ reason: { _tag: "ServiceFailure" } })
      yield* TestClock.adjust("2 days")
      expect((yield* failing(watch(options))).error).toMatchObject({ reason: { _tag: "ServiceFailure" } })
      list.before = () => undefined
      list.entries = [{ ...undated, properties: { priority: 99 } }]
      yield* daily(3, changesOf(watch(options)))
      list.entries = [undated]
      expect(yield* changesOf(watch(options))).toEqual([])
    }),
  )

  it.effect("does not make the state grow beyond the events of the lookback and the retention", () =>
    Effect.gen(function* () {
      const { list, watch, writes } = yield* begin()
      for (let at = 1; at <= 60; at += 1) {
        yield* TestClock.adjust("1 day")
        list.entries = [...list.entries, event(`${at}`, now + at * day), event(`again ${at}`, now + at * day)]
        expect(yield* changesOf(watch({ ...once, unresolvedRetention: "10 days" }))).toEqual([
          `Appeared ${at}`,
          `Appeared again ${at}`,
        ])
        // The events of five days are listed, and those of ten more are kept.
        expect(eventsOf(writes.at(-1))).toBeLessThanOrEqual(2 * 15)
      }
      expect(eventsOf(writes.at(-1))).toBe(2 * 15)
    }),
  )
})
