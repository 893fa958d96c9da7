import { inspect } from "node:util"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Checkpoint, Page, Paging, type PagingError } from "@vigil/paging"
import { PageLimit, PageLoop } from "@vigil/paging/PagingError"
import * as property from "@vigil/testing/property"
import * as Cause from "effect/Cause"

import * as Context from "effect/Context"

import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Match from "effect/Match"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { book, drain, endless } from "./lists.js"

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

  it.effect("continues after an empty page that has a next page", () =>
    Effect.gen(function* () {
      const { next } = book({ a: [[], "b"], b: [[], "c"], c: [[1]] })
      expect((yield* drain(Paging.items({ first: "a", next }))).delivered).toEqual([1])
    }),
  )

  it.effect("fetches only the pages that the consumer needs", () =>
    Effect.gen(function* () {
      const { fetched, next } = book({ a: [[1, 2], "b"], b: [[3]] })
      const stream = Paging.items({ first: "a", next })
      expect(fetched).toEqual([])
      expect(yield* Stream.runCollect(Stream.take(stream, 1))).toEqual([1])
      expect(fetched).toEqual(["a"])
    }),
  )

  it.effect("delivers the pages before a failed fetch", () =>
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
  property.live(
    "is raised for every loop of any length and start, without skipping a page",
    [FastCheck.nat(20), FastCheck.integer({ min: 1, max: 40 })],
    ([lead, length]) =>
      Effect.gen(function* () {
        const next = (page: number) =>
          Effect.succeed(Page.withNext([page], page + 1 === lead + length ? lead : page + 1))
        const { delivered, exit } = yield* drain(Paging.items({ first: 0, next }))
        expect(delivered.slice(0, lead + length)).toEqual(Array.from({ length: lead + length }, (_, index) => index))
        // Brent's bound: at most three times the number of different pages.
        expect(delivered.length).toBeLessThanOrEqual(3 * (lead + length) + 1)
        expect(exit).toMatchObject({ cause: { reasons: [{ error: { _tag: "PageLoop", pages: delivered.length } }] } })
      }),
  )

  it.effect.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [5, 7],
    [8, 14],
    [9, 15],
  ] as const)(
    "is raised as early as Brent's algorithm allows: a loop of %i pages ends after %i fetches",
    ([length, count]) =>
      Effect.gen(function* () {
        const next = (page: number) => Effect.succeed(Page.withNext([page], (page + 1) % length))
        const { delivered } = yield* drain(Paging.items({ first: 0, next }))
        expect(delivered).toEqual(Array.from({ length: count }, (_, index) => index % length))
      }),
  )

  it.effect("is detected independently in each run, and counts the pages of all runs", () =>
    Effect.gen(function* () {
      const { fetched, next } = book({ a: [[1], "b"], b: [[2], "a"] })
      const { delivered, exit } = yield* drain(
        Paging.items({ from: { next: Option.some("b"), pages: 1, items: 1 }, next }),
      )
      expect(delivered).toEqual([2, 1])
      expect(fetched).toEqual(["b", "a"])
      expect(exit).toEqual(Exit.fail(new PageLoop({ pages: 3 })))
    }),
  )

  it.effect("compares `Data` cursors by value", () =>
    Effect.gen(function* () {
      const next = ({ at }: { readonly at: number }) => Effect.succeed(Page.withNext([at], { at: (at + 1) % 3 }))
      const { exit } = yield* drain(Paging.items({ first: { at: 0 }, next }))
      expect(exit).toMatchObject({ cause: { reasons: [{ error: { _tag: "PageLoop" } }] } })
    }),
  )

  it.effect("compares other cursors with `equivalence`", () =>
    Effect.gen(function* () {
      const next = ({ offset }: { readonly offset: number }) => Effect.succeed(Page.withNext([offset], { offset: 0 }))
      const equivalence = (a: { readonly offset: number }, b: { readonly offset: number }) => a.offset === b.offset
      const { exit } = yield* drain(Paging.items({ first: { offset: 0 }, next, equivalence }))
      expect(exit).toMatchObject({ cause: { reasons: [{ error: { _tag: "PageLoop", pages: 1 } }] } })
    }),
  )
})

describe("maxPages", () => {
  it.effect.each([[2], [2.9]] as const)("of %d fails after two pages if the list continues", ([maxPages]) =>
    Effect.gen(function* () {
      const { fetched, next } = book({ a: [[1], "b"], b: [[2], "c"], c: [[3], "d"] })
      const { delivered, exit } = yield* drain(Paging.items({ first: "a", next, maxPages }))
      expect(delivered).toEqual([1, 2])
      expect(fetched).toEqual(["a", "b"])
      expect(exit).toMatchObject({ cause: { reasons: [{ error: { _tag: "PageLimit", allowed: 2 } }] } })
    }),
  )

  it.effect.each([[0], [-1], [0.9], [Number.NaN]] as const)("of %d fetches nothing", ([maxPages]) =>
    Effect.gen(function* () {
      const { fetched, next } = book({ a: [[1]] })
      const { delivered, exit } = yield* drain(Paging.items({ first: "a", next, maxPages }))
      expect(delivered).toEqual([])
      expect(fetched).toEqual([])
      expect(exit).toMatchObject({ cause: { reasons: [{ error: { _tag: "PageLimit", allowed: 0 } }] } })
    }),
  )

  it.effect("counts the pages of one run only", () =>
    Effect.gen(function* () {
      const from = { next: Option.some(7), pages: 7, items: 7 }
      expect((yield* drain(Paging.items({ from, next: endless, maxPages: 2 }))).delivered).toEqual([7, 8])
    }),
  )
})

describe("PagingError", () => {
  it.effect("has a message with the cause and what to do", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Stream.runDrain(Paging.pages({ first: 0, next: endless, maxPages: 1 })))
      expect(String(error)).toBe(
        "PageLimit: The list continues after 1 page. Raise maxPages, narrow the query, or resume from the checkpoint.",
      )
      expect(String(new PageLoop({ pages: 3 }))).toBe(
        "PageLoop: The list repeats after 3 pages: the service links back to an earlier page. Report it to the service.",
      )
    }),
  )

  it("is a closed union of errors that are not retryable", () => {
    // Stops compiling when an error is added.
    const describeError = Match.type<PagingError.PagingError>().pipe(
      Match.tag("PageLimit", ({ allowed }) => allowed),
      Match.tag("PageLoop", ({ pages }) => pages),
      Match.exhaustive,
    )
    const limit = new PageLimit({ allowed: 1, checkpoint: Checkpoint.initial("a") })
    expect(describeError(limit)).toBe(1)
    expect(describeError(new PageLoop({ pages: 2 }))).toBe(2)
    expect([limit.retryable, new PageLoop({ pages: 2 }).retryable]).toEqual([false, false])
    expectTypeOf<PagingError.PagingError["_tag"]>().toEqualTypeOf<"PageLimit" | "PageLoop">()
  })
})

describe("the checkpoint of a PageLimit", () => {
  const list = { a: [[1, 2], "b"], b: [[3, 4], "c"], c: [[5]] } as const
  const atB = { next: Option.some("b"), pages: 1, items: 2 }

  it.effect.each([
    [{ maxPages: 0 }, Checkpoint.initial("a"), [1, 2, 3, 4, 5]],
    [{ maxPages: 1 }, atB, [3, 4, 5]],
  ] as const)("of %j resumes the list", ([limits, checkpoint, rest]) =>
    Effect.gen(function* () {
      const { next } = book(list)
      const error = yield* Effect.flip(Stream.runDrain(Paging.items({ first: "a", next, ...limits })))
      if (error._tag !== "PageLimit") return expect(error).toBe("a PageLimit")
      expectTypeOf(error.checkpoint).toEqualTypeOf<Checkpoint.Checkpoint<string>>()
      expect(error.checkpoint).toEqual(checkpoint)
      expect((yield* drain(Paging.items({ from: error.checkpoint, next }))).delivered).toEqual(rest)
    }),
  )

  it("is never printed, because its cursor may contain a secret", () => {
    const error = new PageLimit({ allowed: 1, checkpoint: Checkpoint.initial("canary") })
    const shown = [String(error), JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })]
    expect(shown.join()).not.toContain("canary")
    expect(Cause.pretty(Cause.fail(error))).not.toContain("canary")
  })
})

describe("pages", () => {
  it.effect("delivers the fetched page itself", () =>
    Effect.gen(function* () {
      const page = { ...Page.last([1]), etag: "x" }
      const stream = Paging.pages({ first: "a", next: () => Effect.succeed(page) })
      expectTypeOf<Stream.Success<typeof stream>["page"]>().toHaveProperty("etag")
      const { delivered } = yield* drain(stream)
      expect(delivered).toEqual([{ page, items: [1], checkpoint: { next: Option.none(), pages: 1, items: 1 } }])
      expect(delivered[0]?.page).toBe(page)
    }),
  )

  it.effect("starts again each time it is run", () =>
    Effect.gen(function* () {
      const { fetched, next } = book({ a: [[1], "b"], b: [[2]] })
      const stream = Paging.items({ first: "a", next, maxPages: 2 })
      const once = { delivered: [1, 2], exit: Exit.void }
      expect(yield* Effect.all([drain(stream), drain(stream)], { concurrency: 2 })).toEqual([once, once])
      expect(fetched.toSorted()).toEqual(["a", "a", "b", "b"])
    }),
  )

  it("has the errors and requirements of `next`, plus paging errors", () => {
    class Service extends Context.Service<Service, string>()("Service") {}
    const stream = Paging.pages({ first: "a", next: () => Effect.fail("down" as const) })
    expectTypeOf<Stream.Error<typeof stream>>().toEqualTypeOf<
      "down" | PagingError.PagingError<Checkpoint.Checkpoint<string>>
    >()
    const served = Paging.items({ first: "a", next: () => Effect.map(Service, (item) => Page.last([item])) })
    expectTypeOf(served).toEqualTypeOf<
      Stream.Stream<string, PagingError.PagingError<Checkpoint.Checkpoint<string>>, Service>
    >()
  })

  it("requires either `first` or `from`", () => {
    const from = Checkpoint.initial("a")
    const next = (cursor: string) => Effect.succeed(Page.last([cursor]))
    // @ts-expect-error neither `first` nor `from`
    void (() => Paging.pages({ next }))
    // @ts-expect-error both `first` and `from`
    void (() => Paging.pages({ first: "a", from, next }))
    expectTypeOf(Paging.items({ from, next })).toEqualTypeOf(Paging.items({ first: "a", next }))
  })
})
