/** Reads lists until a time. What was read by then is kept, with the problem that ended it. */
import { RequestError } from "@vigil/core-http/RequestError"
import * as Listing from "@vigil/health-client/Listing"
import * as ListLimit from "@vigil/health-client/ListLimit"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Reading } from "../Evidence.js"

type Entries<A> = Pick<Listing.Page<A>, "invalid" | "items" | "older">

/** Pages of a list. */
export type Pages<A, R> = Stream.Stream<Entries<A>, Listing.FetchError, R>

/** How lists are read. */
export interface Options {
  /** Runs each list, such as with a permit. Default: runs it. */
  readonly limit?: <E, R>(list: Effect.Effect<void, E, R>) => Effect.Effect<void, E, R>
  /** Returns the problem of an error. Default: its message. */
  readonly describe?: (error: Listing.FetchError) => string
}

/** Runs a list of some. */
export type Run = <R>(list: Effect.Effect<void, Listing.FetchError, R>) => Effect.Effect<void, Listing.FetchError, R>

export interface List<A> extends Reading<A> {
  readonly error: Listing.FetchError | undefined
  /** Whether a page was read. */
  readonly isBegun: boolean
}

/** One page with one entry. */
export const one = <A, R>(entry: Effect.Effect<A, RequestError, R>): Pages<A, R> =>
  Stream.fromEffect(Effect.map(entry, (item) => ({ items: [item], invalid: [], older: 0 })))

/** Runs a list until a time in milliseconds since 1970. */
export const runUntil =
  (until: number, { limit = (list) => list }: Options): Run =>
  (list) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => ListLimit.within(Duration.millis(until - now))(limit(list)))

export const read = <A, R>(
  pages: Pages<A, R>,
  run: Run,
  { describe = ({ message }) => message }: Options,
): Effect.Effect<List<A>, never, R> =>
  Effect.suspend(() => {
    let isBegun = false
    const begun = Stream.tap(pages, () => Effect.sync(() => (isBegun = true)))
    const list = Listing.collect(begun, (list) => Effect.result(run(list)))
    return Effect.map(list, ({ invalid, items, problem: error }) => {
      return { items, invalid: invalid.length, problem: error && describe(error), error, isBegun }
    })
  })

/** The reason of an error response. */
const reasonOf = ({ error }: Pick<List<unknown>, "error">) =>
  error instanceof RequestError && "status" in error.reason ? error.reason : undefined

/** Whether the service does not have it. A type of resources that it does not support may exist. */
export const isMissing = (list: Pick<List<unknown>, "error">): boolean =>
  reasonOf(list)?.status === 404 && !/unsupported/i.test(reasonOf(list)?.code ?? "")

/** A list that some services, or some kinds of resources, do not have: one of these status codes means that it has no entries. */
export const optional = <A>(list: List<A>, ...statuses: ReadonlyArray<number>): List<A> =>
  !list.isBegun && statuses.includes(reasonOf(list)?.status ?? 0) ? { ...list, problem: undefined } : list
