import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Page, Paging, type PagingError } from "@vigil/paging"
import * as Chunk from "effect/Chunk"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** A list of pages by name, each with the name of the next; records what was fetched. */
const book = (pages: Readonly<Record<string, readonly [ReadonlyArray<number>, string?]>>) => {
  const fetched: Array<string> = []
  const next = (cursor: string) =>
    Effect.sync((): Page.Page<number, string> => {
      fetched.push(cursor)
      const [items, after] = pages[cursor] ?? [[]]
      return after === undefined ? Page.last(items) : Page.withNext(items, after)
    })
  return { fetched, next }
}

/** What a stream delivered, and how it ended. */
const drain = <A, E>(stream: Stream.Stream<A, E>) => {
  const delivered: Array<A> = []
  return Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(item))).pipe(
    Effect.exit,
    Effect.map((exit) => ({ delivered, exit })),
  )
}

describe("items", () => {
  it.effect("delivers every item of every page, in order", () =>
    Effect.gen(function* () {
      const { fetched, next } = book({ a: [[1, 2], "b"], b: [[3], "c"], c: [[4, 5]] })
      const { delivered, exit } = yield* drain(Paging.items({ first: "a", next }))
      expect(delivered).toEqual([1, 2, 3, 4, 5])
      expect(exit).toEqual(Exit.void)
      expect(fetched).toEqual(["a", "b", "c"])
    }),
  )

  it.effect("goes on past an empty page that has a next one", () =>
    Effect.gen(function* () {
      const { next } = book({ a: [[], "b"], b: [[], "c"], c: [[1]] })
      expect((yield* drain(Paging.items({ first: "a", next }))).delivered).toEqual([1])
    }),
  )

  it.effect("fetches nothing that is not asked for", () =>
    Effect.gen(function* () {
      const { fetched, next } = book({ a: [[1, 2], "b"], b: [[3]] })
      const stream = Paging.items({ first: "a", next })
      expect(fetched).toEqual([])
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(stream, 1)))).toEqual([1])
      expect(fetched).toEqual(["a"])
    }),
  )

  it.effect("delivers what came before a failed fetch", () =>
    Effect.gen(function* () {
      const { next } = book({ a: [[1, 2], "b"] })
      const failing = (cursor: string) => (cursor === "b" ? Effect.fail("down" as const) : next(cursor))
      const { delivered, exit } = yield* drain(Paging.items({ first: "a", next: failing }))
      expect(delivered).toEqual([1, 2])
      expect(exit).toEqual(Exit.fail("down"))
    }),
  )
})

describe("PageLoop", () => {
  it.effect("stops a page that links to itself, at once, after that page", () =>
    Effect.gen(function* () {
      const { fetched, next } = book({ a: [[1], "a"] })
      const { delivered, exit } = yield* drain(Paging.items({ first: "a", next }))
      expect(delivered).toEqual([1])
      expect(fetched).toEqual(["a"])
      expect(exit).toMatchObject({ cause: { error: { _tag: "PageLoop", pages: 1 } } })
    }),
  )

  it.effect.prop(
    "stops every loop, whatever its length and what leads up to it, and skips no page",
    [FastCheck.nat(20), FastCheck.integer({ min: 1, max: 40 })],
    ([lead, length]) =>
      Effect.gen(function* () {
        const next = (page: number) =>
          Effect.succeed(Page.withNext([page], page + 1 === lead + length ? lead : page + 1))
        const { delivered, exit } = yield* drain(Paging.items({ first: 0, next }))
        expect(delivered.slice(0, lead + length)).toEqual(Array.from({ length: lead + length }, (_, index) => index))
        // Brent's bound: no more than three times what there is to see.
        expect(delivered.length).toBeLessThanOrEqual(3 * (lead + length) + 1)
        expect(exit).toMatchObject({ cause: { error: { _tag: "PageLoop", pages: delivered.length } } })
      }),
  )

  it.effect("compares cursors that are data by their value", () =>
    Effect.gen(function* () {
      const next = ({ at }: { readonly at: number }) =>
        Effect.succeed(Page.withNext([at], Data.struct({ at: (at + 1) % 3 })))
      const { exit } = yield* drain(Paging.items({ first: Data.struct({ at: 0 }), next }))
      expect(exit).toMatchObject({ cause: { error: { _tag: "PageLoop" } } })
    }),
  )

  it.effect("compares cursors of another kind as it is told to", () =>
    Effect.gen(function* () {
      const next = ({ offset }: { readonly offset: number }) => Effect.succeed(Page.withNext([offset], { offset: 0 }))
      const equivalence = (a: { readonly offset: number }, b: { readonly offset: number }) => a.offset === b.offset
      const { exit } = yield* drain(Paging.items({ first: { offset: 0 }, next, equivalence }))
      expect(exit).toMatchObject({ cause: { error: { _tag: "PageLoop", pages: 1 } } })
    }),
  )
})

describe("PageLimit", () => {
  const endless = (page: number) => Effect.succeed(Page.withNext([page], page + 1))

  it.effect("stops a list that is longer than allowed, after the pages that are", () =>
    Effect.gen(function* () {
      const { delivered, exit } = yield* drain(Paging.items({ first: 0, next: endless, maxPages: 3 }))
      expect(delivered).toEqual([0, 1, 2])
      expect(exit).toMatchObject({ cause: { error: { _tag: "PageLimit", maxPages: 3 } } })
    }),
  )

  it.effect.each([[0], [-1], [Number.NaN]] as const)("reads nothing when %d pages are allowed", ([maxPages]) =>
    Effect.gen(function* () {
      const { delivered, exit } = yield* drain(Paging.items({ first: 0, next: endless, maxPages }))
      expect(delivered).toEqual([])
      expect(exit).toMatchObject({ cause: { error: { _tag: "PageLimit", maxPages } } })
    }),
  )

  it.effect("lets a list be exactly as long as allowed", () =>
    Effect.gen(function* () {
      const { next } = book({ a: [[1], "b"], b: [[2]] })
      expect(yield* drain(Paging.items({ first: "a", next, maxPages: 2 }))).toMatchObject({
        delivered: [1, 2],
        exit: Exit.void,
      })
    }),
  )

  it.effect("says what to do", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Stream.runDrain(Paging.pages({ first: 0, next: endless, maxPages: 1 })))
      expect(error.message).toContain("Raise maxPages")
    }),
  )
})

describe("pages", () => {
  it.effect("keeps what a page carries beside its items", () =>
    Effect.gen(function* () {
      const next = (cursor: string) => Effect.succeed({ ...Page.last([1]), etag: `W/${cursor}` })
      const stream = Paging.pages({ first: "a", next })
      expectTypeOf<Stream.Stream.Success<typeof stream>>().toHaveProperty("etag")
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(stream))).toEqual([
        { items: [1], next: Option.none(), etag: "W/a" },
      ])
    }),
  )

  it("adds its own errors to those of the fetch", () => {
    const stream = Paging.pages({ first: "a", next: () => Either.left("down" as const) })
    expectTypeOf<Stream.Stream.Error<typeof stream>>().toEqualTypeOf<"down" | PagingError.PagingError>()
  })
})
