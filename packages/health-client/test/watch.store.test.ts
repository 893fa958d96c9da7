/** The stored state of a watch. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { begin, day, event, hour, key, now, once, changesOf } from "./watched.js"
import { collect } from "./collect.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)
const c = event("c", now - 3 * hour)

describe("the stored state", () => {
  const odd = {
    ...event("odd", now, {
      lastUpdateTime: "2026-03-10T11:59:59.1203530",
      impactMitigationTime: "0001-01-01T00:00:00",
    }),
    extra: { deep: [null, { "": 1.5 }], ["__proto__"]: "kept" },
    location: null,
  }
  const unusual: unknown = JSON.parse(JSON.stringify({ ...odd, name: "\ud800 \u0000 \u2028" }))

  it.effect("restores unknown fields and unusual dates", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(unusual)
      expect(yield* poll).toEqual(["Appeared odd"])
      expect(yield* poll).toEqual([])
      list.entries = []
      expect(yield* collect(watch())).toEqual([{ _tag: "Disappeared", event: unusual }])
    }),
  )

  it.effect("is written before the first change of a poll and after the last, for any number of pages", () =>
    Effect.gen(function* () {
      const { list, poll, watch, writes } = yield* begin(a, b, c)
      list.pageSize = 1
      let written = 0
      yield* Stream.runForEach(watch(), () => Effect.sync(() => (written = writes.length)))
      expect([written, writes.length]).toEqual([1, 2])
      expect(writes[0]?.match(/"pending":/g)).toHaveLength(3)
      list.entries = [a, b, event("c", now - 3 * hour, { title: "Slow" })]
      yield* poll
      expect(writes).toHaveLength(4)
    }),
  )

  it.effect("is saved about once per lookback while nothing changes, which limits how far back a restart lists", () =>
    Effect.gen(function* () {
      const { list, watch, writes } = yield* begin()
      const fiber = yield* Effect.forkChild(Stream.runDrain(watch({ schedule: Schedule.spaced("12 hours") })))
      for (let hours = 0; hours <= 30 * 24; hours += 12) yield* TestClock.adjust("12 hours")
      yield* Fiber.interrupt(fiber)
      expect(writes.length).toBeLessThanOrEqual(10)
      yield* Stream.runDrain(watch())
      const start = list.requests.at(-1)?.searchParams.get("queryStartTime") ?? ""
      expect(Date.parse(`${start} UTC`)).toBeGreaterThanOrEqual(now + 30 * day - 7 * day)
    }),
  )

  it.effect("is stored under the given key, by default with the subscription ID", () =>
    Effect.gen(function* () {
      const { store, watch } = yield* begin(a)
      yield* collect(watch())
      expect(yield* changesOf(watch({ ...once, key: "mine" }))).toEqual(["Appeared a"])
      const texts = [yield* store.get(key), yield* store.get("mine")]
      expect(texts).not.toContain(undefined)
      yield* store.remove(key)
      expect(yield* changesOf(watch())).toEqual(["Appeared a"])
    }),
  )
})
