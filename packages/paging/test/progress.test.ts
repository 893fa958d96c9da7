import { describe, expect, it } from "@effect/vitest"
import { Page, Paging } from "@vigil/paging"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Two pages of one item, and which of them were fetched. */
const list = () => {
  const fetched: Array<number> = []
  const next = (page: number) =>
    Effect.sync(() => {
      fetched.push(page)
      return page === 2 ? Page.last([page]) : Page.withNext([page], page + 1)
    })
  return { fetched, next }
}

describe("a reader that gives a pull up while its progress is told", () => {
  it.scoped.each([
    ["as it is asked for", undefined],
    ["ahead", 1],
  ] as const)("gets that page from the next pull, fetched once: %s", ([, prefetch]) =>
    Effect.gen(function* () {
      const { fetched, next } = list()
      let told = 0
      // The first time, it takes for ever.
      const onProgress = () => Effect.suspend(() => (told++ === 0 ? Effect.never : Effect.void))
      const pull = yield* Stream.toPull(Paging.items({ first: 1, next, onProgress, prefetch }))
      const items: Array<number> = []
      while (items.length < 2) {
        const impatient = pull.pipe(
          Effect.raceFirst(Effect.repeatN(Effect.yieldNow(), 100)),
          Effect.map((pulled) => (typeof pulled === "object" ? Chunk.toReadonlyArray(pulled) : [])),
        )
        items.push(...(yield* Effect.orDieWith(impatient, () => "The list has ended too soon.")))
      }
      expect(items).toEqual([1, 2])
      expect(fetched).toEqual([1, 2])
    }),
  )
})
