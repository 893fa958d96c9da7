import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "@effect/vitest"
import { Page, Paging, type PagingError } from "@vigil/paging"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc")

/** How many of the pages that were handed over are still held when the next one is asked for. */
const held = (
  read: (
    next: (page: number) => Effect.Effect<Page.Page<object, number>>,
  ) => Effect.Effect<void, PagingError.PagingError>,
) =>
  Effect.gen(function* () {
    let last: WeakRef<object> | undefined
    let count = 0
    const look = Effect.promise(async () => {
      // What a weak reference was asked for, or made of, is held until the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
      if (last?.deref() !== undefined) count += 1
    })
    const next = (page: number) =>
      Effect.map(look, () => {
        const items = [{ page }]
        last = new WeakRef(items[0] ?? items)
        return page < 5 ? Page.withNext(items, page + 1) : Page.last(items)
      })
    yield* read(next)
    return count
  })

describe("while the next page is on its way, nothing holds the one before it", () => {
  it.live.each([
    [
      "of its pages",
      (next: (page: number) => Effect.Effect<Page.Page<object, number>>) =>
        Stream.runForEach(Paging.pages({ first: 1, next }), () => Effect.void),
    ],
    [
      "of its items",
      (next: (page: number) => Effect.Effect<Page.Page<object, number>>) =>
        Stream.runForEach(Paging.items({ first: 1, next }), () => Effect.void),
    ],
  ] as const)("in a stream %s", ([, read]) =>
    Effect.gen(function* () {
      expect(yield* held(read)).toBe(0)
    }),
  )
})
