/** Paging against a model of it: lists of any shape, read in runs that fail, stop, and go on from any checkpoint. */
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { Checkpoint, Page, Paging } from "@vigil/paging"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { drain } from "./book.js"

/** Between runs: a slow machine's thread that is held for a minute counts as dead. */
const breathe = Effect.promise(() => setImmediate())

const stored = Schema.parseJson(Checkpoint.schema(Schema.String))
const throughJson = (checkpoint: Checkpoint.Checkpoint<string>) =>
  Schema.decodeSync(stored)(Schema.encodeSync(stored)(checkpoint))

/** A list by the sizes of its pages; its items are numbered from 0, and the page at cursor "3" is the fourth. */
type Sizes = ReadonlyArray<number>

const itemsOf = (sizes: Sizes, page: number): ReadonlyArray<number> => {
  const before = sizes.slice(0, page).reduce((sum, size) => sum + size, 0)
  return Array.from({ length: sizes[page] ?? 0 }, (_, index) => before + index)
}

const checkpointAfter = (sizes: Sizes, pages: number): Checkpoint.Checkpoint<string> => ({
  next: pages < sizes.length ? Option.some(String(pages)) : Option.none(),
  pages,
  items: sizes.slice(0, pages).reduce((sum, size) => sum + size, 0),
})

/** One run: how it reads, which page fails, when the consumer has enough, and how long it holds each page. */
interface Run {
  /** Which of the checkpoints so far it begins at. */
  readonly from: number
  readonly prefetch: number
  readonly failing: number
  readonly maxPages: number | undefined
  readonly maxItems: number | undefined
  readonly take: number
  readonly hold: number
  /** Turns of the scheduler that a fetch takes. */
  readonly slow: number
}

interface Outcome {
  readonly pages: ReadonlyArray<{
    readonly items: ReadonlyArray<number>
    readonly checkpoint: Checkpoint.Checkpoint<string>
  }>
  readonly end: "done" | "down" | "maxPages" | "maxItems"
}

/** What a run is to deliver. */
const model = (sizes: Sizes, start: Checkpoint.Checkpoint<string>, run: Run): Outcome => {
  const pages: Array<Outcome["pages"][number]> = []
  let room = run.maxItems ?? Number.POSITIVE_INFINITY
  let place = start
  for (;;) {
    // The consumer stops before it learns what comes next.
    if (pages.length === run.take || Option.isNone(place.next)) return { pages, end: "done" }
    if (pages.length === run.maxPages) return { pages, end: "maxPages" }
    if (room === 0) return { pages, end: "maxItems" }
    const page = Number(place.next.value)
    if (page === run.failing) return { pages, end: "down" }
    const items = itemsOf(sizes, page)
    if (items.length > room) {
      const cut = { items: items.slice(0, room), checkpoint: place }
      return { pages: [...pages, cut], end: pages.length + 1 === run.take ? "done" : "maxItems" }
    }
    place = checkpointAfter(sizes, page + 1)
    room -= items.length
    pages.push({ items, checkpoint: place })
  }
}

/** The service: counts what is asked of it, how much of that at a time. */
const service = (sizes: Sizes, { failing, slow }: Pick<Run, "failing" | "slow">) => {
  const seen = { requests: 0, inFlight: 0, most: 0 }
  const next = (cursor: string) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        seen.requests += 1
        seen.inFlight += 1
        seen.most = Math.max(seen.most, seen.inFlight)
      }),
      () =>
        Effect.repeatN(Effect.yieldNow(), slow).pipe(
          Effect.andThen((): Effect.Effect<Page.Page<number, string>, "down"> => {
            const page = Number(cursor)
            if (page === failing) return Effect.fail("down")
            const items = itemsOf(sizes, page)
            return Effect.succeed(page + 1 < sizes.length ? Page.withNext(items, String(page + 1)) : Page.last(items))
          }),
        ),
      () => Effect.sync(() => (seen.inFlight -= 1)),
    )
  return { next, seen }
}

/** What a run does deliver; on the way, no request is made too early, two at a time, or left behind. */
const real = (sizes: Sizes, from: Checkpoint.Checkpoint<string>, run: Run) =>
  Effect.gen(function* () {
    const { next, seen } = service(sizes, run)
    const { maxItems, maxPages, prefetch } = run
    let had = 0
    const stream = Paging.pages({ from, next, prefetch, maxPages, maxItems }).pipe(
      Stream.tap(() =>
        Effect.gen(function* () {
          had += 1
          expect(seen.requests).toBeLessThanOrEqual(had + prefetch)
          yield* Effect.repeatN(Effect.yieldNow(), run.hold)
          expect(seen.requests).toBeLessThanOrEqual(had + prefetch)
        }),
      ),
      Stream.take(run.take),
    )
    const { delivered, exit } = yield* drain(stream)
    expect(seen.inFlight).toBe(0)
    expect(seen.most).toBeLessThanOrEqual(1)
    const failure = Option.flatMap(Exit.causeOption(exit), Cause.failureOption)
    const end = Option.match(failure, {
      onNone: () => "done",
      onSome: (error) => (error === "down" ? error : error._tag === "PageLoop" ? error._tag : error.limit),
    })
    return { pages: delivered.map(({ checkpoint, items }) => ({ items, checkpoint })), end }
  })

const sizes = FastCheck.array(FastCheck.nat(4), { minLength: 1, maxLength: 12 })
const limit = FastCheck.option(FastCheck.nat(12), { nil: undefined })
const often = (max: number) => FastCheck.oneof(FastCheck.constant(Number.MAX_SAFE_INTEGER), FastCheck.nat(max))
const run: FastCheck.Arbitrary<Run> = FastCheck.record({
  from: FastCheck.nat(),
  prefetch: FastCheck.nat(4),
  failing: often(12),
  maxPages: limit,
  maxItems: FastCheck.option(FastCheck.nat(30), { nil: undefined }),
  take: often(12),
  hold: FastCheck.nat(12),
  slow: FastCheck.nat(6),
})

describe("any list, read in runs that fail, stop and go on", () => {
  it.effect.prop(
    "delivers exactly the model's items in order, and asks for no page too early",
    [sizes, FastCheck.array(run, { minLength: 1, maxLength: 6 })],
    ([sizes, commands]) =>
      Effect.gen(function* () {
        yield* breathe
        const checkpoints = [checkpointAfter(sizes, 0)]
        for (const command of commands) {
          const from = checkpoints[command.from % checkpoints.length] ?? checkpointAfter(sizes, 0)
          const outcome = yield* real(sizes, throughJson(from), command)
          expect(outcome).toEqual(model(sizes, from, command))
          checkpoints.push(...outcome.pages.map(({ checkpoint }) => checkpoint))
        }
      }),
  )

  it.effect.prop(
    "is whole and in order when each run goes on where the last one failed",
    [sizes, FastCheck.array(FastCheck.tuple(FastCheck.nat(12), FastCheck.nat(4)), { maxLength: 6 })],
    ([sizes, failures]) =>
      Effect.gen(function* () {
        yield* breathe
        const delivered: Array<number> = []
        let from = checkpointAfter(sizes, 0)
        for (const [failing, prefetch] of [...failures, [Number.NaN, 1] as const]) {
          const { next } = service(sizes, { failing, slow: 1 })
          yield* Stream.runForEach(Paging.pages({ from: throughJson(from), next, prefetch }), (page) =>
            Effect.sync(() => {
              delivered.push(...page.items)
              from = page.checkpoint
            }),
          ).pipe(Effect.ignore)
        }
        expect(delivered).toEqual(sizes.flatMap((_, page) => itemsOf(sizes, page)))
        expect(from).toEqual(checkpointAfter(sizes, sizes.length))
      }),
  )

  it.effect.prop(
    "has for its items those of its pages",
    [sizes, run],
    ([sizes, { failing, maxItems, maxPages, prefetch, slow }]) =>
      Effect.gen(function* () {
        yield* breathe
        const options = { first: "0", next: service(sizes, { failing, slow }).next, maxItems, maxPages, prefetch }
        const pages = yield* drain(Paging.pages(options))
        const items = yield* drain(Paging.items(options))
        expect(items).toEqual({ delivered: pages.delivered.flatMap((page) => page.items), exit: pages.exit })
        expect(items.delivered.length).toBeLessThanOrEqual(maxItems ?? Number.POSITIVE_INFINITY)
      }),
  )

  it.effect.prop(
    "is the same with and without prefetch, loops included",
    [FastCheck.array(FastCheck.nat(9), { minLength: 10, maxLength: 10 }), FastCheck.integer({ min: 1, max: 4 })],
    ([links, prefetch]) =>
      Effect.gen(function* () {
        yield* breathe
        const next = (page: number) => Effect.succeed(Page.withNext([page], links[page] ?? 0))
        const options = { first: 0, next }
        expect(yield* drain(Paging.pages({ ...options, prefetch }))).toEqual(yield* drain(Paging.pages(options)))
      }),
  )
})
