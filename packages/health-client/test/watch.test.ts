/** The changes that a watch emits, poll by poll. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { begin, day, event, hour, now, once, start, subscription, changesOf } from "./watched.js"
import { collect } from "./collect.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)

const resolved = { status: "Resolved" }

describe("a poll", () => {
  it.effect("emits Appeared with each unchanged event the first time", () =>
    Effect.gen(function* () {
      const { watch } = yield* start(a, b)
      expect(yield* collect(watch(subscription, once))).toEqual([
        { _tag: "Appeared", event: a },
        { _tag: "Appeared", event: b },
      ])
    }),
  )

  it.effect("without changes emits nothing, and writes nothing", () =>
    Effect.gen(function* () {
      const { list, poll, writes } = yield* begin(a, b)
      yield* poll
      const { length } = writes
      list.entries = [structuredClone(b), structuredClone(a)]
      expect(yield* poll).toEqual([])
      expect(writes).toHaveLength(length)
    }),
  )

  it.effect("emits the differences of an updated event", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin({ ...a, title: 1 }, b)
      yield* poll
      const later = event("a", now, { title: "Slow" })
      list.entries = [later, b]
      expect(yield* collect(watch())).toMatchObject([
        {
          _tag: "Updated",
          event: later,
          changes: {
            fields: [
              { path: "title", before: 1, after: undefined },
              { path: "properties.lastUpdateTime" },
              { path: "properties.title", before: undefined, after: "Slow" },
            ],
          },
        },
      ])
    }),
  )

  it.effect("emits Resolved and Reopened", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* begin(a)
      yield* collect(watch())
      const later = event("a", now, { ...resolved, title: "Over" })
      list.entries = [later]
      const status = { path: "properties.status", before: "Active", after: "Resolved" }
      expect(yield* collect(watch())).toMatchObject([
        { _tag: "Resolved", event: later, changes: { fields: expect.arrayContaining([status]) as unknown } },
      ])
      list.entries = [a]
      expect(yield* changesOf(watch())).toEqual(["Reopened a"])
    }),
  )

  it.effect("emits Disappeared once, with the last known state", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      list.entries = [b]
      expect(yield* collect(watch())).toEqual([{ _tag: "Disappeared", event: a }])
      expect(yield* poll).toEqual([])
      list.entries = [a, b]
      expect(yield* poll).toEqual(["Appeared a"])
    }),
  )

  it.effect("emits Updated for an event that returned to an older state", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* begin(a)
      yield* poll
      list.entries = [event("a", now - day)]
      expect(yield* poll).toEqual(["Updated a"])
      expect(yield* poll).toEqual([])
    }),
  )
})

describe("an event is identified", () => {
  it.effect("by its id or name in any case", () =>
    Effect.gen(function* () {
      const named = { ...b, id: undefined, name: "AB-1" }
      const { list, poll, watch } = yield* begin({ ...a, id: "/Events/A" }, named)
      yield* poll
      list.entries = [
        { ...a, id: "/events/a" },
        { ...named, name: "ab-1" },
      ]
      expect(yield* poll).toEqual(["Updated /events/a", "Updated ab-1"])
      list.entries = [
        { ...a, id: "/EVENTS/A", properties: 1 },
        { name: "Ab-1", properties: 1 },
      ]
      expect(yield* changesOf(watch({ ...once, onInvalid: () => Effect.void }))).toEqual([])
    }),
  )

  it.effect.each([[undefined], [null], [""]])("by its name if its id is %j", ([id]) =>
    Effect.gen(function* () {
      const named = (at: number) => ({ ...event("", at), id, name: "T1" })
      const { list, watch } = yield* begin(named(now - hour))
      expect(yield* collect(watch())).toHaveLength(1)
      list.entries = [named(now)]
      expect(yield* collect(watch())).toMatchObject([{ _tag: "Updated", event: { name: "T1" } }])
      list.entries = []
      expect(yield* collect(watch())).toMatchObject([{ _tag: "Disappeared", event: { name: "T1" } }])
    }),
  )

  it.effect("by its content if it has neither", () =>
    Effect.gen(function* () {
      const nameless = (title: string) => ({ properties: { lastUpdateTime: "2026-03-10T11:00:00", title } })
      const { list, watch } = yield* begin(nameless("one"), nameless("two"), nameless("two"))
      expect(yield* collect(watch())).toEqual([
        { _tag: "Appeared", event: nameless("one") },
        { _tag: "Appeared", event: nameless("two") },
      ])
      expect(yield* collect(watch())).toEqual([])
      list.entries = [nameless("one"), nameless("three")]
      expect(yield* collect(watch())).toEqual([
        { _tag: "Appeared", event: nameless("three") },
        { _tag: "Disappeared", event: nameless("two") },
      ])
    }),
  )
})

describe("an event that is listed twice", () => {
  const newer = event("a", now)
  const orders = [
    ["the newer first", [newer, a, b], ["Appeared a", "Appeared b"]],
    ["the older first", [a, newer, b], ["Appeared a", "Appeared b"]],
  ] as const

  it.effect.each(orders)("has its last updated state, and is emitted once: %s", ([, entries, expected]) =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(...entries)
      expect(yield* poll).toEqual(expected)
      expect(yield* poll).toEqual([])
      list.pageSize = 1
      expect(yield* poll).toEqual([])
      list.entries = [b]
      expect(yield* collect(watch())).toEqual([{ _tag: "Disappeared", event: newer }])
    }),
  )
})
