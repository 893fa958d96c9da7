import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "@effect/vitest"
import { Page, Paging, type PagingError } from "@vigil/paging"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc")

/** Counts the delivered pages that are still referenced when the next page is requested. */
const countRetained = (
  read: (
    next: (page: number) => Effect.Effect<Page.Page<object, number>>,
  ) => Effect.Effect<void, PagingError.PagingError>,
) =>
  Effect.gen(function* () {
    let last: WeakRef<object> | undefined
    let count = 0
    const isRetained = async () => {
      // The target of a weak reference is retained until the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
      return last?.deref() !== undefined
    }
    const inspect = Effect.promise(async () => {
      // A collection may end another one that has already marked the page as reachable. The stream waits meanwhile.
      for (let attempt = 1; attempt <= 5; attempt += 1) if (!(await isRetained())) return
      count += 1
    })
    const next = (page: number) =>
      Effect.map(inspect, () => {
        const items = [{ page }]
        last = new WeakRef(items[0] ?? items)
        return page < 5 ? Page.withNext(items, page + 1) : Page.last(items)
      })
    yield* read(next)
    return count
  })

describe("a delivered page can be garbage-collected while the next one is fetched", () => {
  it.live.each([
    [
      "pages",
      (next: (page: number) => Effect.Effect<Page.Page<object, number>>) =>
        Stream.runForEach(Paging.pages({ first: 1, next }), () => Effect.void),
    ],
    [
      "items",
      (next: (page: number) => Effect.Effect<Page.Page<object, number>>) =>
        Stream.runForEach(Paging.items({ first: 1, next }), () => Effect.void),
    ],
  ] as const)("in a stream of %s", ([, read]) =>
    Effect.gen(function* () {
      expect(yield* countRetained(read)).toBe(0)
    }),
  )
})
