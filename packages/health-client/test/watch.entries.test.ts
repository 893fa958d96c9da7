/** Invalid events in the list of a watch. */
import { describe, expect, it } from "@effect/vitest"
import type { InvalidEvent } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { begin, event, failing, hour, now, once, start, subscription, changesOf } from "./watched.js"
import { collect } from "./collect.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)
const c = event("c", now - 3 * hour)

const broken = { properties: "none" }

describe("an invalid event", () => {
  const tolerant = { ...once, onInvalid: () => Effect.void }

  it.scoped("fails the poll after the events of its page, with the reason", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* start(a, broken, b, c)
      list.pageSize = 3
      const { before, error } = yield* failing(watch(subscription, once))
      expect(before).toEqual(["Appeared a", "Appeared b"])
      expect(error).toMatchObject({
        _tag: "InvalidEvent",
        index: 1,
        path: "properties",
        raw: broken,
        operation: "Watch.watch",
      })
    }),
  )

  it.scoped("is passed to onInvalid, and the poll continues", () =>
    Effect.gen(function* () {
      const { watch } = yield* start(a, broken, b)
      const reported: Array<unknown> = []
      const onInvalid = ({ raw }: InvalidEvent.InvalidEvent) => Effect.sync(() => reported.push(raw))
      expect(yield* changesOf(watch(subscription, { ...once, onInvalid }))).toEqual(["Appeared a", "Appeared b"])
      expect(reported).toEqual([broken])
      const failed = { ...once, onInvalid: () => Effect.fail("enough" as const) }
      expect(yield* failing(watch(subscription, failed))).toEqual({
        before: ["Appeared a", "Appeared b"],
        error: "enough",
      })
    }),
  )

  it.scoped("prevents its event from disappearing while it is listed", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      const tolerant = watch({ ...once, onInvalid: () => Effect.void })
      list.entries = [{ properties: "none" }, b]
      expect(yield* changesOf(tolerant)).toEqual([])
      for (const _ of [1, 2, 3]) {
        yield* TestClock.adjust("4 days")
        expect(yield* changesOf(tolerant)).toEqual([])
      }
      list.entries = [b]
      expect(yield* poll).toEqual(["Disappeared a"])
      expect(yield* poll).toEqual([])
    }),
  )

  it.scoped("prevents its event from disappearing only during the retention", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      const tolerant = watch({ ...once, onInvalid: () => Effect.void })
      list.entries = [{ properties: "none" }, b]
      expect(yield* changesOf(tolerant)).toEqual([])
      yield* TestClock.adjust("40 days")
      for (const _ of [1, 2]) expect(yield* changesOf(tolerant)).toEqual([])
      list.entries = [b]
      expect(yield* poll).toEqual([])
      const from = list.requests.at(-1)?.searchParams.get("queryStartTime") ?? ""
      expect(Date.parse(`${from} UTC`)).toBeGreaterThan(now)
    }),
  )

  it.scoped("is passed to onInvalid once if the list is read twice", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b, c)
      yield* poll
      list.pageSize = 1
      list.entries = [{ ...broken, id: "odd" }, a, b]
      const before = list.requests.length
      const reported: Array<unknown> = []
      const onInvalid = ({ raw }: InvalidEvent.InvalidEvent) => Effect.sync(() => reported.push(raw))
      expect(yield* changesOf(watch({ ...once, onInvalid }))).toEqual(["Disappeared c"])
      expect(list.requests).toHaveLength(before + 6)
      expect(reported).toEqual([{ ...broken, id: "odd" }])
    }),
  )

  it.scoped.each([
    { id: "a", properties: 1 },
    { id: "a", name: 5 },
    { id: 5, name: "name of a" },
    { name: "name of a", properties: [] },
  ])("prevents the event that it identifies from disappearing: %j", (entry) =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      list.entries = [entry]
      expect(yield* changesOf(watch(tolerant))).toEqual(["Disappeared b"])
      list.entries = []
      expect(yield* changesOf(watch(tolerant))).toEqual(["Disappeared a"])
    }),
  )

  it.scoped.each([[broken], [null], ["a"], [{ id: 5, name: "" }]])(
    "prevents all events from disappearing if it identifies none: %j",
    ([entry]) =>
      Effect.gen(function* () {
        const { list, poll, watch } = yield* begin(a, b)
        yield* poll
        list.entries = [entry]
        expect(yield* changesOf(watch(tolerant))).toEqual([])
        list.entries = [b]
        expect(yield* changesOf(watch(tolerant))).toEqual(["Disappeared a"])
      }),
  )

  it.scoped("does not hide a valid event with the same id", () =>
    Effect.gen(function* () {
      const { watch } = yield* start({ id: "a", properties: 1 }, a)
      expect(yield* collect(watch(subscription, tolerant))).toEqual([{ _tag: "Appeared", event: a }])
    }),
  )
})

describe("a deeply nested event", () => {
  const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown
  const deep = (depth: number, id?: string) => ({ ...event("deep", now), id, name: id, extra: nested(depth) })

  it.scoped("is invalid, because it cannot be stored", () =>
    Effect.gen(function* () {
      const { poll, watch, writes } = yield* begin(a, { ...broken, id: "odd" }, deep(3_000, "deep"), deep(3_000), b)
      const reported: Array<unknown> = []
      const onInvalid = ({ index, message }: InvalidEvent.InvalidEvent) =>
        Effect.sync(() => reported.push([index, message.replace(/^.*?: |\. Set.*$/g, "")]))
      expect(yield* changesOf(watch({ ...once, onInvalid }))).toEqual(["Appeared a", "Appeared b"])
      const reason = "of a page is not an event: it is nested more than 1000 levels deep and cannot be stored"
      expect(reported).toEqual([
        [1, expect.any(String)],
        [2, `entry 2 ${reason}`],
        [3, `entry 3 ${reason}`],
      ])
      expect(writes.at(-1)).not.toContain("deep")
      expect(yield* Effect.flip(poll)).toMatchObject({ _tag: "InvalidEvent", index: 1 })
    }),
  )

  it.scoped("is valid up to a thousand levels", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* begin(deep(998, "deep"), deep(998))
      expect(yield* poll).toEqual(["Appeared deep", "Appeared undefined"])
      expect(yield* poll).toEqual([])
      list.entries = [deep(1_000, "deep"), deep(998)]
      expect(yield* poll).toEqual(["Updated deep"])
      list.entries = [deep(1_001, "deep")]
      expect(yield* Effect.flip(poll)).toMatchObject({ _tag: "InvalidEvent", index: 0, path: "" })
    }),
  )
})
