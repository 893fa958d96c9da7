/** The options, pages and errors of lists. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Checkpoint } from "./Checkpoint.js"
import type { CheckpointMismatch } from "./CheckpointMismatch.js"
import * as ListLimit from "./ListLimit.js"
import type { PageLimit, PageLoop } from "./PagingError.js"

/** An entry of a page that does not decode. @category models @since 0.2.0 */
export interface InvalidEntry extends EventsPage.InvalidEntry {
  /** The number of its page, from 1. It counts the pages of all runs of a list that is resumed. */
  readonly page: number
  /** The ID in the entry, if it has one, cut to 200 characters: the tracking ID of an event, or the ID of the resource of a status. */
  readonly trackingId?: string | undefined
}

/** A page of a list. @category models @since 0.1.0 */
export interface Page<A> {
  /** The valid entries, in order. */
  readonly items: ReadonlyArray<A>
  /** The entries that do not decode. */
  readonly invalid: ReadonlyArray<InvalidEntry>
  /** For each invalid entry, how many of `items` come before it. */
  readonly offsets: ReadonlyArray<number>
  /** How many valid entries are left out, because they were updated before the start time. */
  readonly older: number
  /** Pass it as `from` to resume after this page. */
  readonly checkpoint: Checkpoint
}

/** Errors of a list. `PageLimit` contains the `checkpoint` to resume from, and `ListLimit` ends lists that are collected. @category errors @since 0.1.0 */
export type FetchError = CollectError<number>

/** The error of a stream of pages that is resumed, by the type of `from`. @category errors @since 0.1.0 */
export type Mismatch<From> = From extends Checkpoint ? CheckpointMismatch : never

/** The error of a list with a limit, by the type of `maxPages`. @category errors @since 0.2.0 */
export type Limited<Max> = Max extends number ? PageLimit : never

/** Errors of a list that is collected: `PageLimit` only occurs with `maxPages`. @category errors @since 0.4.0 */
export type CollectError<Max> = RequestError | PageLoop | ListLimit.ListLimit | Limited<Max>

/** Errors of a stream of pages. `CheckpointMismatch` only occurs with `from`, and `PageLimit` with `maxPages`. @category errors @since 0.1.0 */
export type PagesError<From = Checkpoint, Max = number> = RequestError | PageLoop | Limited<Max> | Mismatch<From>

/** How many pages to read. @category models @since 0.1.0 */
export interface Limits<Max extends number | undefined = number | undefined> {
  /** Fails with `PageLimit` if the list continues after this many pages, at least 1. To stop without an error, use `Stream.take`. Default: no limit. */
  readonly maxPages?: Max | undefined
}

/** How to read the pages of a list. @category models @since 0.1.0 */
export interface PageOptions<
  From extends Checkpoint | undefined = Checkpoint | undefined,
  Max extends number | undefined = number | undefined,
> extends Limits<Max> {
  /**
   * Resumes after the page of this checkpoint. The client, the ID and the options of the query must be those of the first run; otherwise the list fails with `CheckpointMismatch` before any request.
   */
  readonly from?: From
}

/** The entries of all pages of a list, or of those before its problem. @category models @since 0.2.0 */
export interface Collected<A, Problem = FetchError> extends Pick<Page<A>, "invalid" | "items" | "older"> {
  readonly problem: Problem | undefined
}

/**
 * Collects the entries of pages, at most `size`. `attempt` runs the list and returns its problem, such as `Effect.result`. It may end the list
 * early, such as by `ListLimit.within`: what was read before is kept.
 * @category running @since 0.2.0
 */
export const collect = <A, E, R, Problem, R2>(
  pages: Stream.Stream<Pick<Page<A>, "invalid" | "items" | "older">, E, R>,
  attempt: (
    list: Effect.Effect<void, E | ListLimit.ListLimit, R>,
  ) => Effect.Effect<Result.Result<void, Problem>, never, R2>,
  size = ListLimit.standard,
): Effect.Effect<Collected<A, Problem>, never, R2> =>
  Effect.suspend(() => {
    const items: Array<A> = []
    const invalid: Array<InvalidEntry> = []
    let older = 0
    const list = Stream.runForEach(ListLimit.atMost(size)(pages), (page) =>
      Effect.sync(() => {
        for (const item of page.items) items.push(item)
        for (const entry of page.invalid) invalid.push(entry)
        older += page.older
      }),
    )
    return Effect.map(attempt(list), (result) => {
      const problem = Result.isFailure(result) ? result.failure : undefined
      return { items, invalid, older, problem }
    })
  })

type Part<A> = ReadonlyArray<A> | InvalidEntry

/** The entries of a page in order: runs of valid ones, and single invalid ones. */
const split = <A>({ invalid, items, offsets }: Page<A>): ReadonlyArray<Part<A>> => [
  ...invalid.flatMap((entry, index): ReadonlyArray<Part<A>> => [
    items.slice(offsets[index - 1] ?? 0, offsets[index]),
    entry,
  ]),
  items.slice(offsets.at(-1) ?? 0),
]

/**
 * Streams the valid entries of pages, in order. `onInvalid` runs for each invalid entry, after the entries before it.
 * @category combinators @since 0.1.0
 */
export const items =
  <E2, R2>({ onInvalid }: { readonly onInvalid: (entry: InvalidEntry) => Effect.Effect<unknown, E2, R2> }) =>
  <A, E, R>(pages: Stream.Stream<Page<A>, E, R>): Stream.Stream<A, E | E2, R | R2> =>
    // `Stream.flatMap` retains a page until the next one arrives: `pnpm bench race` takes half as much CPU time again.
    Stream.transformPull(pages, (pull) =>
      Effect.sync(() => {
        /** What is left of the page, last part first. */
        let parts: Array<Part<A>> = []
        const next: Pull.Pull<Arr.NonEmptyReadonlyArray<A>, E | E2, void, R | R2> = Effect.suspend(() => {
          const part = parts.at(-1)
          if (part === undefined)
            return Effect.flatMap(pull, (pages) => {
              parts = pages.flatMap(split).toReversed()
              return next
            })
          if ("raw" in part)
            // An interrupted report runs again.
            return Effect.flatMap(onInvalid(part), () => {
              parts.pop()
              return next
            })
          parts.pop()
          return Arr.isReadonlyArrayNonEmpty(part) ? Effect.succeed(part) : next
        })
        return next
      }),
    )
