import { setImmediate } from "node:timers/promises"
import { inspect } from "node:util"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Checkpoint, Paging, type PagingError } from "@vigil/paging"
import { PageLimit, PageLoop } from "@vigil/paging/PagingError"
import * as property from "@vigil/testing/property"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as FastCheck from "fast-check"

const pageOf = <A, Cursor>(items: ReadonlyArray<A>, next?: Cursor): Paging.Page<A, Cursor> => ({
  items,
  next,
})

/** Runs a stream. Returns what it delivered, and its error. */
const drain = <A, E>(stream: Stream.Stream<A, E>) => {
  const delivered: Array<A> = []
  return Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(item))).pipe(
    Effect.result,
    Effect.map((result) => ({ delivered, error: Option.getOrUndefined(Result.getFailure(result)) })),
  )
}

property.live(
  "a loop of any length and start fails with PageLoop, after all of its pages",
  [FastCheck.nat(20), FastCheck.integer({ min: 1, max: 40 })],
  ([lead, length]) =>
    Effect.gen(function* () {
      // Cursors are equal by value.
      const fetch = ({ page }: { readonly page: number }) =>
        Effect.succeed(pageOf([page], { page: page + 1 === lead + length ? lead : page + 1 }))
      const { delivered, error } = yield* drain(Paging.items({ first: { page: 0 }, fetch }))
      expect(delivered.slice(0, lead + length)).toEqual(Array.from({ length: lead + length }, (_, index) => index))
      expect(error).toMatchObject({ _tag: "PageLoop", pages: delivered.length })
      // The bound of Brent's algorithm.
      expect(delivered.length).toBeLessThanOrEqual(2 * Math.max(lead, length) + length)
    }),
)

it.effect(
  "a cursor that stays the same is a loop, unless `detectLoops` is false: then only maxPages ends the list",
  () =>
    Effect.gen(function* () {
      let page = 0
      const fetch = (cursor: string) => Effect.sync(() => pageOf([++page], page === 5 ? undefined : cursor))
      const options = { first: "scroll", fetch }
      expect(yield* drain(Paging.items(options))).toMatchObject({ delivered: [1], error: { _tag: "PageLoop" } })
      const scroll = { ...options, detectLoops: false }
      expect(yield* drain(Paging.items({ ...scroll, maxPages: 2 }))).toMatchObject({
        delivered: [2, 3],
        error: { _tag: "PageLimit" },
      })
      expect(yield* drain(Paging.items(scroll))).toEqual({ delivered: [4, 5], error: undefined })
    }),
)

it.effect("cursors with the same `key` lead to one page", () =>
  Effect.gen(function* () {
    let page = 0
    const fetch = () => Effect.sync(() => pageOf([++page], `next#${page}`))
    const options = { first: "first", fetch, key: (link: string) => link.replace(/#.*/, "") }
    expect(yield* drain(Paging.items(options))).toMatchObject({ delivered: [1, 2], error: { _tag: "PageLoop" } })
  }),
)

it.effect("a `key` may be undefined for one page", () =>
  Effect.gen(function* () {
    const fetch = (page: number) => Effect.succeed(pageOf([page], page < 4 ? page + 1 : undefined))
    const key = (page: number) => (page === 2 ? undefined : page)
    expect(yield* drain(Paging.items({ first: 1, fetch, key }))).toEqual({ delivered: [1, 2, 3, 4], error: undefined })
  }),
)

it.effect("maxPages counts the pages of one run, and is at least 1, so that each run makes progress", () =>
  Effect.gen(function* () {
    const from = { next: 5, pages: 5, items: 5 }
    const fetch = (page: number) => Effect.succeed(pageOf([page], page + 1))
    const errors = yield* Effect.forEach([2.9, 0, -1, Number.NaN], (maxPages) =>
      Effect.flip(Stream.runDrain(Paging.items({ from, fetch, maxPages }))),
    )
    const limits = [2, 1, 1, 1].map((allowed) => ({ _tag: "PageLimit", allowed, checkpoint: { pages: 5 + allowed } }))
    expect(errors).toMatchObject(limits)
  }),
)

describe("the errors", () => {
  const checkpoint = { next: "canary", pages: 2, items: 3 }
  const errors = [new PageLimit({ allowed: 2, position: Redacted.make(checkpoint) }), new PageLoop({ pages: 1 })]

  it("survive encoding as JSON and decoding, with the checkpoint", () => {
    const schema = Schema.fromJsonString(Schema.toCodecJson(Schema.Union([PageLimit, PageLoop])))
    const decoded = errors.map((error) => Schema.decodeSync(schema)(Schema.encodeSync(schema)(error)))
    expect(decoded).toEqual(errors)
    expect(decoded).toMatchObject([{ checkpoint, isRetryable: false }, { isRetryable: false }])
  })

  it("say what to do, and never print the checkpoint, whose cursor may contain a secret", () => {
    expect(errors.map(String)).toEqual([
      "PageLimit: The list continues after 2 pages. Raise maxPages, narrow the query, or resume from the checkpoint.",
      "PageLoop: The list repeats after 1 page: the service links back to an earlier page. Report it to the service.",
    ])
    const [error] = errors
    for (const shown of [JSON.stringify(error), inspect(error, { showHidden: true }), Cause.pretty(Cause.fail(error))])
      expect(shown).not.toContain("canary")
  })
})

it("an invalid checkpoint fails with a SchemaError", () => {
  const decode = Schema.decodeUnknownResult(Checkpoint.schema(Schema.String))
  for (const [next, pages, items] of [[2, 1, 1], ["a", -1, 1], ["a", 1, 1.5], ["a", 1, "1"], ["a"], [undefined, 1, 1]])
    expect(decode({ next, pages, items })).toMatchObject({ failure: { _tag: "SchemaError" } })
})

it.effect("a stream of items has one chunk per page, and none for a page without items", () =>
  Effect.gen(function* () {
    const pages = [[1, 2], [], [], [3], []]
    const fetch = (page: number) => Effect.succeed(pageOf(pages[page] ?? [], page < 4 ? page + 1 : undefined))
    expect((yield* drain(Stream.chunks(Paging.items({ first: 0, fetch })))).delivered).toEqual([[1, 2], [3]])
  }),
)

it("only a stream with maxPages has PageLimit in its type", () => {
  const options = { first: "a", fetch: () => Effect.succeed(pageOf<number, string>([1])) }
  type Limited = Stream.Stream<number, PagingError.PagingError<Checkpoint.Checkpoint<string>>>
  expectTypeOf(Paging.items(options)).toEqualTypeOf<Stream.Stream<number, PageLoop>>()
  expectTypeOf(Paging.items({ ...options, maxPages: 2 })).toEqualTypeOf<Limited>()
  const optional = (maxPages?: number) => Paging.items({ ...options, maxPages })
  expectTypeOf(optional).returns.toEqualTypeOf<Limited>()
})

it.effect("a stream of pages has the fetched page itself, and the errors of `fetch`", () =>
  Effect.gen(function* () {
    const page = { ...pageOf<number, string>([1]), etag: "x" }
    const stream = Paging.pages({ first: "a", fetch: (): Effect.Effect<typeof page, "down"> => Effect.succeed(page) })
    expectTypeOf<Stream.Error<typeof stream>>().toEqualTypeOf<"down" | PageLoop>()
    expect((yield* drain(stream)).delivered[0]?.page).toBe(page)
  }),
)

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc")

it.live("a stream retains no page but the last while it fetches the next one", () =>
  Effect.gen(function* () {
    const pages: Array<WeakRef<object>> = []
    const retained: Array<boolean> = []
    const fetch = Effect.fnUntraced(function* (page: number) {
      // A collection may end another one that has already marked the page as reachable.
      for (let attempt = 1; attempt <= 5 && pages.at(-2)?.deref() !== undefined; attempt += 1) {
        // The target of a weak reference is retained until the next turn of the event loop.
        yield* Effect.promise(() => setImmediate())
        collectGarbage()
      }
      retained.push(pages.at(-2)?.deref() !== undefined)
      const item = { page }
      pages.push(new WeakRef(item))
      return pageOf([item], page < 5 ? page + 1 : undefined)
    })
    yield* Stream.runDrain(Paging.items({ first: 1, fetch }))
    expect(retained).toEqual([false, false, false, false, false])
  }),
)

/** A model: lists of any pages, read in runs that fail, stop, and resume from any checkpoint. The cursor is the index of the page. */
const stored = Schema.fromJsonString(Checkpoint.schema(Schema.String))
type Pages = ReadonlyArray<ReadonlyArray<number>>

const checkpointAfter = (list: Pages, pages: number): Checkpoint.Checkpoint<string> => ({
  next: pages < list.length ? String(pages) : undefined,
  pages,
  items: list.slice(0, pages).flat().length,
})

/** One run of a list, from one of the checkpoints so far. */
const run = FastCheck.record({
  from: FastCheck.nat(),
  failing: FastCheck.nat(24),
  maxPages: FastCheck.option(FastCheck.nat(12), { nil: Infinity }),
  take: FastCheck.nat(24),
})
type Run = ReturnType<(typeof run)["generate"]>["value"]

/** The checkpoints that a run delivers, and its end. */
const model = (list: Pages, start: Checkpoint.Checkpoint<string>, { failing, maxPages, take }: Run) => {
  const pages: Array<Checkpoint.Checkpoint<string>> = []
  for (let position = start; ; pages.push(position)) {
    // The consumer stops before the next page is known.
    if (pages.length === take || position.next === undefined) return { pages, end: "done" }
    if (pages.length > 0 && pages.length >= maxPages) return { pages, end: "PageLimit" }
    const page = Number(position.next)
    if (page === failing) return { pages, end: "down" }
    position = checkpointAfter(list, page + 1)
  }
}

/** Checks that no request is concurrent, or earlier than needed. */
const real = (list: Pages, from: Checkpoint.Checkpoint<string>, { failing, maxPages, take }: Run) =>
  Effect.gen(function* () {
    let [requests, received] = [0, 0]
    const fetch = Effect.fnUntraced(function* (cursor: string) {
      requests += 1
      yield* Effect.yieldNow
      expect(requests).toBe(received + 1)
      const page = Number(cursor)
      if (page === failing) return yield* Effect.fail({ _tag: "down" as const })
      return pageOf(list[page] ?? [], page + 1 < list.length ? String(page + 1) : undefined)
    })
    const stream = Stream.tap(Paging.pages({ from, fetch, maxPages }), () => Effect.sync(() => (received += 1)))
    const { delivered, error } = yield* drain(Stream.take(stream, take))
    for (const { checkpoint, items } of delivered) expect(items).toEqual(list[checkpoint.pages - 1])
    if (error?._tag === "PageLimit") expect(error.checkpoint).toEqual(delivered.at(-1)?.checkpoint)
    return { pages: delivered.map(({ checkpoint }) => checkpoint), end: error?._tag ?? "done" }
  })

property.live(
  "runs that fail, stop and resume deliver exactly the expected pages in order, without early requests",
  [
    FastCheck.array(FastCheck.array(FastCheck.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
    FastCheck.array(run, { maxLength: 6 }),
  ],
  ([list, runs]) =>
    Effect.gen(function* () {
      // The test runner kills a thread that is blocked for a minute.
      yield* Effect.promise(() => setImmediate())
      const checkpoints = [checkpointAfter(list, 0)]
      for (const run of runs) {
        const from = checkpoints[run.from % checkpoints.length] ?? checkpointAfter(list, 0)
        const outcome = yield* real(list, Schema.decodeSync(stored)(Schema.encodeSync(stored)(from)), run)
        expect(outcome).toEqual(model(list, from, run))
        checkpoints.push(...outcome.pages)
      }
    }),
)
