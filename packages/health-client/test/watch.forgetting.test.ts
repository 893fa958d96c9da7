/** How long a watch keeps events that lists do not reach, or that have no update time. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { begin, day, event, hour, now, once, changesOf } from "./watched.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)

const resolved = { status: "Resolved" }

describe("an event that is too old to be listed", () => {
  it.effect("is forgotten once it is resolved", () =>
    Effect.gen(function* () {
      const { list, poll, store, watch, writes } = yield* begin(event("over", now - hour, resolved), a)
      yield* poll
      expect(writes.at(-1)).toContain('"over"')
      list.entries = []
      expect(yield* changesOf(watch({ ...once, lookback: "10 minutes", retention: "10 minutes" }))).toEqual([])
      expect(writes.at(-1)).not.toContain('"over"')
      expect(writes.at(-1)).toContain('"a"')
      expect(yield* store.size).toBe(1)
    }),
  )

  it.effect("is kept for 30 days after it is resolved, so that its final review is an update", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* begin(event("over", now, resolved))
      yield* poll
      const review = event("over", now + 14 * day, { ...resolved, eventTags: ["Final PIR"] })
      yield* TestClock.adjust("14 days")
      for (const _ of [1, 2]) expect(yield* poll).toEqual([])
      list.entries = [review]
      expect(yield* poll).toEqual(["Updated over"])
      yield* TestClock.adjust("34 days")
      for (const _ of [1, 2]) expect(yield* poll).toEqual([])
      list.entries = [event("over", now + 48 * day, resolved)]
      expect(yield* poll).toEqual(["Appeared over"])
    }),
  )

  it.effect("is kept at least as long as lists reach back", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(event("over", now - 4 * day, resolved))
      const short = watch({ ...once, lookback: "3 days", retention: "0 days" })
      expect(yield* changesOf(watch({ ...once, lookback: "5 days" }))).toEqual(["Appeared over"])
      expect(yield* changesOf(short)).toEqual([])
      list.entries = [event("over", now, resolved)]
      expect(yield* poll).toEqual(["Updated over"])
    }),
  )
})

describe("an event without an update time", () => {
  it.effect("is emitted if it is new or different, and never disappears", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* begin({ id: "a" }, { id: "b", properties: { lastUpdateTime: "" } })
      expect(yield* poll).toEqual(["Appeared a", "Appeared b"])
      list.entries = [{ id: "a", name: "A" }]
      expect(yield* poll).toEqual(["Updated a"])
      expect(yield* poll).toEqual([])
    }),
  )

  it.effect("is forgotten if it is resolved and missing, also from a second list", () =>
    Effect.gen(function* () {
      const over = { id: "over", properties: resolved }
      const { list, poll, writes } = yield* begin(over, a, b)
      list.pageSize = 1
      yield* poll
      expect(yield* poll).toEqual([])
      expect(writes.at(-1)).toContain('"over"')
      list.entries = [a, b]
      const before = list.requests.length
      list.before = (request) => {
        if (request === before + 2) list.entries = [over, a, b]
        return undefined
      }
      expect(yield* poll).toEqual([])
      expect(writes.at(-1)).toContain('"over"')
      list.before = () => undefined
      list.entries = [a, b]
      expect(yield* poll).toEqual([])
      expect(writes.at(-1)).not.toContain('"over"')
      expect(writes.at(-1)).toContain('"a"')
    }),
  )
})
