import { describe, expect, it } from "@effect/vitest"
import { Page, Paging } from "@vigil/paging"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { drain, endless } from "./lists.js"

/** Lets all fibers run until they wait. */
const settle = Effect.repeatN(Effect.yieldNow(), 100)

/** A list of `length` pages of one item, with the fetched and the interrupted pages. */
const list = (length: number) => {
  const fetched: Array<number> = []
  const interrupted: Array<number> = []
  const next = (page: number) =>
    Effect.sync(() => {
      fetched.push(page)
      return page === length ? Page.last([page]) : Page.withNext([page], page + 1)
    })
  /** Like `next`, but one page never arrives. */
  const stuckAt = (stuck: number) => (page: number) =>
    Effect.flatMap(next(page), (result) =>
      page === stuck
        ? Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.push(page)))
        : Effect.succeed(result),
    )
  return { fetched, interrupted, next, stuckAt }
}

/** For each page: the number of fetched pages when the consumer gets it, and after a pause. */
const countFetched = (prefetch: number | undefined, length: number) => {
  const { fetched, next } = list(length)
  const counts: Array<readonly [number, number]> = []
  const pause = Effect.gen(function* () {
    const before = fetched.length
    yield* settle
    counts.push([before, fetched.length])
  })
  return Effect.as(
    Stream.runForEach(Paging.pages({ first: 1, next, prefetch }), () => pause),
    counts,
  )
}

describe("without prefetch", () => {
  it.effect.each([[undefined], [0], [-1], [0.9], [Number.NaN]] as const)("(%s) a page is fetched on demand", ([n]) =>
    Effect.gen(function* () {
      expect(yield* countFetched(n, 3)).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ])
    }),
  )
})

describe("prefetch", () => {
  it.effect.each([
    [1, [2, 3, 4, 5, 6, 6]],
    [2, [3, 4, 5, 6, 6, 6]],
    [2.9, [3, 4, 5, 6, 6, 6]],
    [4, [5, 6, 6, 6, 6, 6]],
    [Number.POSITIVE_INFINITY, [6, 6, 6, 6, 6, 6]],
  ] as const)("of %d fetches at most that many pages ahead of the consumer", ([n, ahead]) =>
    Effect.gen(function* () {
      expect((yield* countFetched(n, 6)).map(([, after]) => after)).toEqual(ahead)
    }),
  )

  it.effect.each([[1], [2], [3]] as const)("of %d starts the next fetch before the consumer gets a page", ([n]) =>
    Effect.gen(function* () {
      const { fetched, next } = list(8)
      const seen: Array<number> = []
      // A consumer that never yields to other fibers.
      const busy = Stream.runForEach(Paging.pages({ first: 1, next, prefetch: n }), () =>
        Effect.sync(() => seen.push(fetched.length)),
      )
      yield* busy
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((page) => Math.min(page + n, 8)))
    }),
  )

  it.effect("delivers a page while the next one is being fetched", () =>
    Effect.gen(function* () {
      const { fetched, stuckAt } = list(5)
      const stream = Paging.items({ first: 1, next: stuckAt(3), prefetch: 4 })
      expect([...(yield* Stream.runCollect(Stream.take(stream, 2)))]).toEqual([1, 2])
      expect(fetched).toEqual([1, 2, 3])
    }),
  )

  it.effect("does nothing before the stream is read", () =>
    Effect.gen(function* () {
      const { fetched, next } = list(5)
      const stream = Paging.items({ first: 1, next, prefetch: 4 })
      yield* settle
      expect(fetched).toEqual([])
      expect(yield* drain(stream)).toEqual({ delivered: [1, 2, 3, 4, 5], exit: Exit.void })
    }),
  )

  it.effect("does not fetch beyond a limit or a loop", () =>
    Effect.gen(function* () {
      const fetched: Array<number> = []
      const next = (page: number) => Effect.tap(endless(page), () => fetched.push(page))
      const pages = yield* drain(Paging.items({ first: 0, next, prefetch: 4, maxPages: 2 }))
      expect(pages).toMatchObject({ delivered: [0, 1], exit: { cause: { error: { limit: "maxPages" } } } })
      const items = yield* drain(Paging.items({ first: 2, next, prefetch: 4, maxItems: 2 }))
      expect(items).toMatchObject({ delivered: [2, 3], exit: { cause: { error: { limit: "maxItems" } } } })
      expect(fetched).toEqual([0, 1, 2, 3])
      const loop = yield* drain(
        Paging.items({ first: 0, next: () => Effect.succeed(Page.withNext([0], 0)), prefetch: 4 }),
      )
      expect(loop).toMatchObject({ delivered: [0], exit: { cause: { error: { _tag: "PageLoop", pages: 1 } } } })
    }),
  )
})

describe("a prefetched page", () => {
  const down = (fault: Effect.Effect<never, string>) => (page: number) =>
    page === 3 ? Effect.zipRight(settle, fault) : endless(page)

  it.effect.each([
    ["fails", Effect.fail("down"), Exit.fail("down")],
    ["dies", Effect.die("bug"), Exit.die("bug")],
  ] as const)("that %s ends the stream after the pages before it", ([, fault, exit]) =>
    Effect.gen(function* () {
      expect(yield* drain(Paging.items({ first: 0, next: down(fault), prefetch: 4 }))).toEqual({
        delivered: [0, 1, 2],
        exit,
      })
    }),
  )

  it.effect("that is interrupted interrupts the stream after the pages before it", () =>
    Effect.gen(function* () {
      const read = drain(Paging.items({ first: 0, next: down(Effect.interrupt), prefetch: 4 }))
      const { delivered, exit } = yield* read
      expect(delivered).toEqual([0, 1, 2])
      expect(Exit.isInterrupted(exit)).toBe(true)
    }),
  )

  it.effect("is interrupted when the consumer stops", () =>
    Effect.gen(function* () {
      const { interrupted, stuckAt } = list(5)
      yield* Stream.runDrain(Stream.take(Paging.items({ first: 1, next: stuckAt(2), prefetch: 1 }), 1))
      expect(interrupted).toEqual([2])
    }),
  )

  it.effect("is interrupted when the consumer fails", () =>
    Effect.gen(function* () {
      const { interrupted, stuckAt } = list(5)
      const stream = Paging.items({ first: 1, next: stuckAt(3), prefetch: 2 })
      const error = yield* Effect.flip(
        Stream.runForEach(stream, (page) => (page === 2 ? Effect.fail(page) : Effect.void)),
      )
      expect(error).toBe(2)
      expect(interrupted).toEqual([3])
    }),
  )

  it.effect("is interrupted when the consumer is interrupted, whether it waits for the page or not", () =>
    Effect.gen(function* () {
      for (const take of [1, 2]) {
        const { interrupted, stuckAt } = list(5)
        const reached = yield* Deferred.make<void>()
        const stream = Paging.items({ first: 1, next: stuckAt(2), prefetch: 1 })
        const consumer = yield* Effect.fork(
          Stream.runForEach(stream, () =>
            Effect.zipRight(Deferred.succeed(reached, undefined), take === 1 ? Effect.never : Effect.void),
          ),
        )
        yield* Deferred.await(reached)
        yield* settle
        yield* Fiber.interrupt(consumer)
        expect(interrupted).toEqual([2])
      }
    }),
  )

  it.effect("ends the stream if its fiber is interrupted from outside", () =>
    Effect.gen(function* () {
      const fetching = yield* Deferred.make<Fiber.RuntimeFiber<unknown, unknown>>()
      const self = Effect.withFiberRuntime<void>((fiber) => Deferred.succeed(fetching, fiber))
      const next = (page: number) => (page === 2 ? Effect.zipRight(self, Effect.never) : endless(page))
      const consumer = yield* Effect.fork(drain(Paging.items({ first: 0, next, prefetch: 2 })))
      yield* Fiber.interrupt(yield* Deferred.await(fetching))
      const { delivered, exit } = yield* Fiber.join(consumer)
      expect(delivered).toEqual([0, 1])
      expect(Exit.isInterrupted(exit)).toBe(true)
    }),
  )

  it.effect("uses the scope around the stream if `next` needs one", () =>
    Effect.gen(function* () {
      const closed: Array<number> = []
      const next = (page: number) =>
        Effect.zipRight(
          Effect.addFinalizer(() => Effect.sync(() => closed.push(page))),
          list(2).next(page),
        )
      const whileOpen = Effect.gen(function* () {
        yield* Stream.runDrain(Paging.items({ first: 1, next, prefetch: 1 }))
        return [...closed]
      })
      expect(yield* Effect.scoped(whileOpen)).toEqual([])
      expect(closed).toEqual([2, 1])
    }),
  )

  it.effect("does not change the checkpoint of the page before it", () =>
    Effect.gen(function* () {
      const { fetched, next } = list(5)
      const stream = Paging.pages({ first: 1, next, prefetch: 3 })
      const [page] = yield* Stream.runCollect(Stream.take(stream, 1))
      expect(page?.checkpoint).toEqual({ next: Option.some(2), pages: 1, items: 1 })
      expect(fetched).toEqual([1, 2, 3, 4])
    }),
  )
})
