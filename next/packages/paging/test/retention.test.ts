import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "@effect/vitest"
import { Page, Paging } from "@vigil/paging"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc")

const isRetained = async (page: WeakRef<object> | undefined) => {
  // The target of a weak reference is retained until the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  return page?.deref() !== undefined
}

it.live("a stream retains no page but the last while it fetches the next one", () =>
  Effect.gen(function* () {
    const pages: Array<WeakRef<object>> = []
    let retained = 0
    const inspect = Effect.promise(async () => {
      // A collection may end another one that has already marked the page as reachable. The stream waits meanwhile.
      for (let attempt = 1; attempt <= 5; attempt += 1) if (!(await isRetained(pages.at(-2)))) return
      retained += 1
    })
    const next = (page: number) =>
      Effect.map(inspect, () => {
        const item = { page }
        pages.push(new WeakRef(item))
        return page < 5 ? Page.withNext([item], page + 1) : Page.last([item])
      })
    yield* Stream.runForEach(Paging.items({ first: 1, next }), () => Effect.void)
    expect([pages.length, retained]).toEqual([5, 0])
  }),
)
