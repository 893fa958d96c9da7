/** The options, pages and errors of the list operations. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Paging from "@vigil/paging/Paging"
import type * as PagingError from "@vigil/paging/PagingError"
import type * as Effect from "effect/Effect"
import type { Checkpoint } from "./Checkpoint.js"
import type { CheckpointMismatch } from "./CheckpointMismatch.js"
import type { Filter } from "./Filter.js"
import type { InvalidEvent } from "./InvalidEvent.js"
import type { InvalidQuery } from "./InvalidQuery.js"
import type { QueryStartTime } from "./QueryStartTime.js"

/**
 * A page of events.
 * @category models
 * @since 0.1.0
 */
export interface EventPage<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  /** The valid events, in order. */
  readonly items: ReadonlyArray<HealthEvent.HealthEvent<V>>
  /** The entries that are not an event of the version. */
  readonly invalid: ReadonlyArray<EventsPage.Invalid>
  /** Pass it as `from` to resume after this page. */
  readonly checkpoint: Checkpoint
}

/**
 * Errors of fetching pages. `PageLimit` carries the `checkpoint` from which to resume.
 * @category errors
 * @since 0.1.0
 */
export type FetchError = RequestError | PagingError.PagingError<Checkpoint>

/**
 * Errors of a stream of pages, after the pages before the error. Only a call with `from` fails with `CheckpointMismatch`, and only
 * one with `queryStartTime` fails with `InvalidQuery`.
 * @category errors
 * @since 0.1.0
 */
export type PagesError = FetchError | CheckpointMismatch | InvalidQuery

/**
 * Errors of a stream of events, after the events before the error.
 * @category errors
 * @since 0.1.0
 */
export type ListError = PagesError | InvalidEvent

/**
 * Which events to list.
 * @category models
 * @since 0.1.0
 */
export interface Query<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  /** The version to request; the type of the events follows it. Default: `ApiVersion.latest`. */
  readonly apiVersion?: V | undefined
  /** `$filter`: an expression, or its text, which is sent unchanged. Default: no filter. */
  readonly filter?: Filter | string | undefined
}

/**
 * Which events of a subscription to list.
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionQuery<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Query<V> {
  /**
   * Lists only events updated at or after this time: an instant, a duration before the start of the list, or a text of either,
   * such as `"12h"`, `"30 days"`, `"2026-03-10"` or `"3/10/2026"`. Any other text fails the list with `InvalidQuery`, unless it is
   * `QueryStartTime.raw`. The request contains the day in UTC (document: month/day/year). The client leaves out events updated
   * earlier on that day, and keeps events without an update time. Default: that of the service, 3 days back (document, "Limits").
   */
  readonly queryStartTime?: QueryStartTime | undefined
}

/**
 * How to read the pages of a list.
 * @category models
 * @since 0.1.0
 */
export interface PageOptions {
  /** How many pages may be fetched ahead of the one that is consumed. Default: 0. */
  readonly prefetch?: number | undefined
  /**
   * A guard: if the list continues after this many pages, it fails with `PageLimit`. To stop early without an error, use
   * `Stream.take`. Default: no limit.
   */
  readonly maxPages?: number | undefined
  /**
   * A guard: if the list continues after this many events, it fails with `PageLimit`. To stop early without an error, use
   * `Stream.take`. Default: no limit.
   */
  readonly maxItems?: number | undefined
  /**
   * Resumes after a page of an earlier run; after the last page, the list is empty. The call must ask for the same list as the one
   * that started it: the same ID, `apiVersion`, `filter` and `queryStartTime`, of a client with the same base URL and vendor. An
   * omitted filter equals an empty one, and a duration counts back from when the list was started. Any difference fails with
   * `CheckpointMismatch` before any request.
   */
  readonly from?: Checkpoint | undefined
  /** Runs as each page is delivered. */
  readonly onProgress?: ((progress: Paging.Progress) => Effect.Effect<unknown>) | undefined
}

/**
 * How to deliver events one by one. `onInvalid` fails with `E` and needs `R`.
 * @category models
 * @since 0.1.0
 */
export interface EventOptions<E = never, R = never> {
  /**
   * Runs for an invalid entry, after the events before it; then the list goes on. Default: the list fails with `InvalidEvent`.
   */
  readonly onInvalid?: ((event: InvalidEvent) => Effect.Effect<unknown, E, R>) | undefined
  /**
   * Leaves out events that were delivered before, because pages may shift while they are read. Events are the same if their `id` is,
   * or their `name` if they have no `id`, without regard to case. Keeps each key in memory. Default: `false`.
   */
  readonly distinct?: boolean | undefined
}
