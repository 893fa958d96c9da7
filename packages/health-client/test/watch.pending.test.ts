/** Changes that a watch emitted before it was stopped, and that its consumer may have lost. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { collect } from "./collect.js"
import { begin, changesOf, event, hour, now } from "./watched.js"

const slow = event("a", now - 2 * hour, { title: "Slow" })
const slower = event("a", now - hour, { title: "Slower" })
const down = event("a", now, { title: "Down" })

/** A watch, with `first`, which stops at the first change, and `titles`, which returns all changes with their titles. */
const stopped = (...entries: ReadonlyArray<unknown>) =>
  Effect.map(begin(...entries), (scene) => ({
    ...scene,
    first: Effect.suspend(() => changesOf(Stream.take(scene.watch(), 1))),
    titles: Effect.suspend(() =>
      Effect.map(collect(scene.watch()), (all) => all.map(({ _tag, event }) => [_tag, event.properties?.title])),
    ),
  }))

describe("a pending change", () => {
  it.effect("is replaced if an event that was never delivered has a later state", () =>
    Effect.gen(function* () {
      const { first, list, poll, titles } = yield* stopped(slow)
      expect(yield* first).toEqual(["Appeared a"])
      list.entries = [slower]
      expect(yield* first).toEqual(["Appeared a"])
      list.entries = []
      expect(yield* first).toEqual(["Disappeared a"])
      expect(yield* titles).toEqual([["Disappeared", "Slower"]])
      expect(yield* poll).toEqual([])
    }),
  )

  it.effect("is replaced if a delivered event has a later state", () =>
    Effect.gen(function* () {
      const { first, list, poll, titles } = yield* stopped(slow)
      expect(yield* poll).toEqual(["Appeared a"])
      for (const entry of [slower, down]) {
        list.entries = [entry]
        expect(yield* first).toEqual(["Updated a"])
      }
      list.entries = []
      expect(yield* first).toEqual(["Disappeared a"])
      expect(yield* titles).toEqual([["Disappeared", "Down"]])
    }),
  )

  it.effect.each([[{ id: "a" }], [{ id: "a", properties: { title: "Slow" } }]] as const)(
    "of an event without an update time, %j, does not make lists start earlier",
    ([undated]) =>
      Effect.gen(function* () {
        const { first, list, poll } = yield* stopped(undated)
        expect(yield* first).toEqual(["Appeared a"])
        expect(yield* poll).toEqual(["Appeared a"])
        const [one, other] = list.requests.map(({ searchParams }) => searchParams.get("queryStartTime"))
        expect(other).toBe(one)
      }),
  )
})
