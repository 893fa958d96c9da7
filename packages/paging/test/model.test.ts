/** Compares paging with a model: lists of any shape, read in runs that fail, stop, and resume from any checkpoint. */
import { setImmediate } from "node:timers/promises"
import { describe, expect } from "@effect/vitest"
import { Checkpoint, Page, Paging } from "@vigil/paging"
import * as property from "@vigil/testing/property"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { drain } from "./lists.js"

/** Runs between cases, because the test runner kills a thread that is blocked for a minute. */
const yieldToTimers = Effect.promise(() => setImmediate())

const stored = Schema.fromJsonString(Checkpoint.schema(Schema.String))
const throughJson = (checkpoint: Checkpoint.Checkpoint<string>) =>
  Schema.decodeSync(stored)(Schema.encodeSync(stored)(checkpoint))

/** The page sizes of a list. Items are numbered from 0, and the cursor is the index of the page. */
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

/** One run of a list. */
interface Run {
  /** Selects one of the checkpoints so far. */
  readonly from: number
  readonly failing: number
  readonly maxPages: number | undefined
  readonly take: number
  readonly hold: number
  /** How many scheduler turns a fetch takes. */
  readonly slow: number
}

interface Outcome {
  readonly pages: ReadonlyArray<{
    readonly items: ReadonlyArray<number>
    readonly checkpoint: Checkpoint.Checkpoint<string>
  }>
  readonly end: "done" | "down" | "PageLimit"
}

/** The expected outcome of a run. */
const model = (sizes: Sizes, start: Checkpoint.Checkpoint<string>, run: Run): Outcome => {
  const pages: Array<Outcome["pages"][number]> = []
  let position = start
  for (;;) {
    // The consumer stops before the next page is known.
    if (pages.length === run.take || Option.isNone(position.next)) return { pages, end: "done" }
    if (pages.length === run.maxPages) return { pages, end: "PageLimit" }
    const page = Number(position.next.value)
    if (page === run.failing) return { pages, end: "down" }
    position = checkpointAfter(sizes, page + 1)
    pages.push({ items: itemsOf(sizes, page), checkpoint: position })
  }
}

/** The service: counts requests, and how many are concurrent. */
const service = (sizes: Sizes, { failing, slow }: Pick<Run, "failing" | "slow">) => {
  const stats = { requests: 0, inFlight: 0, maxInFlight: 0 }
  const next = (cursor: string) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        stats.requests += 1
        stats.inFlight += 1
        stats.maxInFlight = Math.max(stats.maxInFlight, stats.inFlight)
      }),
      () =>
        Effect.repeat(Effect.yieldNow, { times: slow }).pipe(
          Effect.andThen((): Effect.Effect<Page.Page<number, string>, "down"> => {
            const page = Number(cursor)
            if (page === failing) return Effect.fail("down")
            const items = itemsOf(sizes, page)
            return Effect.succeed(page + 1 < sizes.length ? Page.withNext(items, String(page + 1)) : Page.last(items))
          }),
        ),
      () => Effect.sync(() => (stats.inFlight -= 1)),
    )
  return { next, stats }
}

/** The actual outcome of a run. Checks that requests are neither early, concurrent nor left open. */
const real = (sizes: Sizes, from: Checkpoint.Checkpoint<string>, run: Run) =>
  Effect.gen(function* () {
    const { next, stats } = service(sizes, run)
    let received = 0
    const stream = Paging.pages({ from, next, maxPages: run.maxPages }).pipe(
      Stream.tap(() =>
        Effect.gen(function* () {
          received += 1
          expect(stats.requests).toBeLessThanOrEqual(received)
          yield* Effect.repeat(Effect.yieldNow, { times: run.hold })
          expect(stats.requests).toBeLessThanOrEqual(received)
        }),
      ),
      Stream.take(run.take),
    )
    const { delivered, exit } = yield* drain(stream)
    expect(stats.inFlight).toBe(0)
    expect(stats.maxInFlight).toBeLessThanOrEqual(1)
    const failure = Option.flatMap(Exit.getCause(exit), Cause.findErrorOption)
    const end = Option.match(failure, {
      onNone: () => "done",
      onSome: (error) => (error === "down" ? error : error._tag),
    })
    return { pages: delivered.map(({ checkpoint, items }) => ({ items, checkpoint })), end }
  })

const sizes = FastCheck.array(FastCheck.nat(4), { minLength: 1, maxLength: 12 })
const rarely = (max: number) => FastCheck.oneof(FastCheck.constant(Number.MAX_SAFE_INTEGER), FastCheck.nat(max))
const run: FastCheck.Arbitrary<Run> = FastCheck.record({
  from: FastCheck.nat(),
  failing: rarely(12),
  maxPages: FastCheck.option(FastCheck.nat(12), { nil: undefined }),
  take: rarely(12),
  hold: FastCheck.nat(12),
  slow: FastCheck.nat(6),
})

describe("any list, read in runs that fail, stop and resume", () => {
  property.live(
    "delivers exactly the expected items in order, without early requests",
    [sizes, FastCheck.array(run, { minLength: 1, maxLength: 6 })],
    ([sizes, commands]) =>
      Effect.gen(function* () {
        yield* yieldToTimers
        const checkpoints = [checkpointAfter(sizes, 0)]
        for (const command of commands) {
          const from = checkpoints[command.from % checkpoints.length] ?? checkpointAfter(sizes, 0)
          const outcome = yield* real(sizes, throughJson(from), command)
          expect(outcome).toEqual(model(sizes, from, command))
          checkpoints.push(...outcome.pages.map(({ checkpoint }) => checkpoint))
        }
      }),
  )

  property.live(
    "is complete and in order if each run resumes after a failure",
    [sizes, FastCheck.array(FastCheck.nat(12), { maxLength: 6 })],
    ([sizes, failures]) =>
      Effect.gen(function* () {
        yield* yieldToTimers
        const delivered: Array<number> = []
        let from = checkpointAfter(sizes, 0)
        for (const failing of [...failures, Number.NaN]) {
          const { next } = service(sizes, { failing, slow: 1 })
          yield* Stream.runForEach(Paging.pages({ from: throughJson(from), next }), (page) =>
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

  property.live("has the same items as its pages", [sizes, run], ([sizes, { failing, maxPages, slow }]) =>
    Effect.gen(function* () {
      yield* yieldToTimers
      const options = { first: "0", next: service(sizes, { failing, slow }).next, maxPages }
      const pages = yield* drain(Paging.pages(options))
      const items = yield* drain(Paging.items(options))
      expect(items).toEqual({ delivered: pages.delivered.flatMap((page) => page.items), exit: pages.exit })
    }),
  )
})
