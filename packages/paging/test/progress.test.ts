import { describe, expect, it } from "@effect/vitest"
import { Page, Paging } from "@vigil/paging"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Two pages of one item, with the pages fetched so far. */
const list = () => {
  const fetched: Array<number> = []
  const next = (page: number) =>
    Effect.sync(() => {
      fetched.push(page)
      return page === 2 ? Page.last([page]) : Page.withNext([page], page + 1)
    })
  return { fetched, next }
}

describe("a consumer that cancels a pull while `onProgress` runs", () => {
  it.scoped.each([
    ["on demand", undefined],
    ["prefetched", 1],
  ] as const)("gets the page from the next pull, without fetching it again: %s", ([, prefetch]) =>
    Effect.gen(function* () {
      const { fetched, next } = list()
      let calls = 0
      // The first call never ends.
      const onProgress = () => Effect.suspend(() => (calls++ === 0 ? Effect.never : Effect.void))
      const pull = yield* Stream.toPull(Paging.items({ first: 1, next, onProgress, prefetch }))
      const items: Array<number> = []
      while (items.length < 2) {
        const impatient = pull.pipe(
          Effect.raceFirst(Effect.repeatN(Effect.yieldNow(), 100)),
          Effect.map((result) => (typeof result === "object" ? Chunk.toReadonlyArray(result) : [])),
        )
        items.push(...(yield* Effect.orDieWith(impatient, () => "The list ended too early.")))
      }
      expect(items).toEqual([1, 2])
      expect(fetched).toEqual([1, 2])
    }),
  )
})
