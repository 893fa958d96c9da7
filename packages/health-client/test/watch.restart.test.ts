/** Watches that are stopped or killed, then restarted. */
import { Watch } from "@vigil/health-client"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { begin, day, event, hour, memory, now, once, start, subscription, changesOf } from "./watched.js"
import { withClient } from "./collect.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)
const c = event("c", now - 3 * hour)

describe("a restarted watch", () => {
  it.effect("emits only the last change again", () =>
    Effect.gen(function* () {
      const { poll, watch } = yield* begin(a, b, c)
      expect(yield* changesOf(Stream.take(watch(), 2))).toEqual(["Appeared a", "Appeared b"])
      expect(yield* poll).toEqual(["Appeared b", "Appeared c"])
      expect(yield* poll).toEqual([])
    }),
  )

  it.effect("emits an event again if it returns after Disappeared", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      list.entries = [b]
      expect(yield* changesOf(Stream.take(watch(), 1))).toEqual(["Disappeared a"])
      list.entries = [a, b]
      expect(yield* changesOf(Stream.take(watch(), 1))).toEqual(["Appeared a"])
      list.entries = [event("a", now, { title: "Slow" }), b]
      // Stopped again: the consumer may have removed the event.
      expect(yield* changesOf(Stream.take(watch(), 1))).toEqual(["Appeared a"])
      expect(yield* changesOf(Stream.take(watch(), 1))).toEqual(["Appeared a"])
      list.entries = [b]
      expect(yield* poll).toEqual(["Disappeared a"])
      expect(yield* poll).toEqual([])
    }),
  )

  it.effect("emits the pending state again if the event returned to its delivered state", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a)
      yield* poll
      list.entries = [event("a", now, { title: "Slow" })]
      expect(yield* changesOf(Stream.take(watch(), 1))).toEqual(["Updated a"])
      list.entries = [a]
      // Stopped again: the consumer may still have the first state.
      expect(yield* changesOf(Stream.take(watch(), 1))).toEqual(["Updated a"])
      expect(yield* poll).toEqual(["Updated a"])
      expect(yield* poll).toEqual([])
    }),
  )

  it.effect("emits each change of a poll again after a kill, or Disappeared if the event is gone", () =>
    Effect.gen(function* () {
      const { client, list } = yield* start(a, b, c)
      const { store } = yield* memory
      let isKilled = false
      const set: typeof store.set = (key, text) => (isKilled ? Effect.void : store.set(key, text))
      list.pageSize = 2
      const killed = Watch.watch(subscription, { ...once, store: { ...store, set } })
        .pipe(withClient(client))
        .pipe(
          Stream.tap(() => Effect.sync(() => (isKilled = true))),
          Stream.take(1),
        )
      expect(yield* changesOf(killed)).toEqual(["Appeared a"])
      list.entries = [b, c]
      const watch = Watch.watch(subscription, { ...once, store }).pipe(withClient(client))
      expect(yield* changesOf(watch)).toEqual(["Appeared b", "Appeared c", "Disappeared a"])
      expect(yield* changesOf(watch)).toEqual([])
    }),
  )

  it.effect("lists events since the earliest pending change, even before the lookback", () =>
    Effect.gen(function* () {
      const old = event("old", now - 2 * day)
      const { client, list } = yield* start(a, old)
      const { store } = yield* memory
      let isKilled = false
      const set: typeof store.set = (key, text) => (isKilled ? Effect.void : store.set(key, text))
      const killed = Watch.watch(subscription, { ...once, store: { ...store, set } })
        .pipe(withClient(client))
        .pipe(
          Stream.tap(() => Effect.sync(() => (isKilled = true))),
          Stream.take(1),
        )
      expect(yield* changesOf(killed)).toEqual(["Appeared a"])
      const watch = Watch.watch(subscription, { ...once, store, lookback: "1 days" }).pipe(withClient(client))
      expect(yield* changesOf(watch)).toEqual(["Appeared a", "Appeared old"])
      list.entries = []
      expect(yield* changesOf(watch)).toEqual(["Disappeared a"])
    }),
  )

  const stops = [
    ["after a poll", [a], undefined],
    ["after a poll without events", [], undefined],
    ["during the first poll", [a, b], 1],
    ["before the first page", [], 0],
  ] as const

  it.effect.each(stops)("emits all changes of a downtime longer than the lookback: stopped %s", ([, entries, failed]) =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(...entries)
      list.pageSize = 1
      list.before = (request) => (request === failed ? 500 : undefined)
      yield* Effect.ignore(Stream.runDrain(watch()))
      yield* TestClock.adjust("30 days")
      list.before = () => undefined
      list.pageSize = 50
      list.entries = [event("meanwhile", now + day), event("a", now + 2 * day, { status: "Resolved" })]
      expect(yield* poll).toEqual(
        entries.length === 0 ? ["Appeared meanwhile", "Appeared a"] : ["Appeared meanwhile", "Resolved a"],
      )
    }),
  )
})
