/** What the list operations take and give: pages, events one by one, or all of them at once. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Paging from "@vigil/paging/Paging"
import type * as PagingError from "@vigil/paging/PagingError"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { Checkpoint } from "./Checkpoint.js"
import type { CheckpointMismatch } from "./CheckpointMismatch.js"
import type { Filter } from "./Filter.js"
import type { InvalidEvent } from "./InvalidEvent.js"
import type { InvalidQuery } from "./InvalidQuery.js"
import type { QueryStartTime } from "./QueryStartTime.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import type { TrackingId } from "./TrackingId.js"

/**
 * A page of events: the good ones in `items`, those that are no event of the version in `invalid`, and where the list goes
 * on after it.
 *
 * @category models
 * @since 0.1.0
 */
export interface EventPage<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly items: ReadonlyArray<HealthEvent.HealthEvent<V>>
  readonly invalid: ReadonlyArray<EventsPage.Invalid>
  /** Pass it as `from` to resume after this page. */
  readonly checkpoint: Checkpoint
}

/**
 * What a list of pages fails with, after the pages before it. `PageLimit` carries the `checkpoint` from which to resume; of these
 * errors, only a call with `from` fails with `CheckpointMismatch`.
 *
 * @category errors
 * @since 0.1.0
 */
export type PagesError = RequestError | PagingError.PagingError<Checkpoint> | CheckpointMismatch | InvalidQuery

/**
 * What a list of events fails with, after the events before it.
 *
 * @category errors
 * @since 0.1.0
 */
export type ListError = PagesError | InvalidEvent

/**
 * What is asked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface Query {
  /** `$filter`: an expression, or its text, which is sent as it is. Default: none. */
  readonly filter?: Filter | string | undefined
}

/**
 * What is asked of a subscription, and how far back.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionQuery extends Query {
  /**
   * Only events that were updated at or after this time: an instant, a duration before the start of the list, or a text of either,
   * such as `"12h"`, `"30 days"`, `"2026-03-10"` or `"3/10/2026"`. Any other text fails the list with `InvalidQuery`, unless it is
   * `QueryStartTime.raw`. The request has the day in UTC (document: month/day/year). The client leaves out what was updated earlier on
   * that day, and keeps events without an update time. Default: that of the service, 3 days back (document, "Limits").
   */
  readonly queryStartTime?: QueryStartTime | undefined
}

/**
 * How far a list is read, and how far ahead.
 *
 * @category models
 * @since 0.1.0
 */
export interface Bounds {
  /** How many pages may be fetched ahead of the one that is consumed. Default: 0. */
  readonly prefetch?: number | undefined
  /**
   * A guard: if the list continues after this many pages, it fails with `PageLimit`. To stop early without an error, use
   * `Stream.take`. Default: no limit.
   */
  readonly maxPages?: number | undefined
}

/**
 * How a list is read.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reading extends Bounds {
  /**
   * Resumes after a page of an earlier run; after the last page, the list is empty. The call must ask for the same list as the one
   * that started it: the same ID, `apiVersion`, `filter` and `queryStartTime`, of a client with the same base URL and vendor. An
   * omitted filter equals an empty one, and a duration counts back from when the list was started. Any difference fails with
   * `CheckpointMismatch` before any request.
   */
  readonly from?: Checkpoint | undefined
  /**
   * A guard: if the list continues after this many events, it fails with `PageLimit`. To stop early without an error, use
   * `Stream.take`. Default: no limit.
   */
  readonly maxItems?: number | undefined
  /** Run as each page is handed over. */
  readonly onProgress?: ((progress: Paging.Progress) => Effect.Effect<unknown>) | undefined
}

/**
 * What to do about entries that are no event.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tolerance<E = never, R = never> {
  /**
   * What to do about an entry that is no event, in its place between the events; then the list goes on. Without it, such
   * an entry fails the list with `InvalidEvent`, once all before it is out.
   */
  readonly onInvalid?: ((event: InvalidEvent) => Effect.Effect<unknown, E, R>) | undefined
}

/**
 * How events are delivered.
 *
 * @category models
 * @since 0.1.0
 */
export interface Delivery<E = never, R = never> extends Tolerance<E, R> {
  /**
   * Leaves out an event whose `id` was delivered before, as pages may shift while they are read; it takes memory for each `id`.
   * Default: what the service lists twice is delivered twice.
   */
  readonly distinct?: boolean | undefined
}

/**
 * Options of a call that is about the newest version, which need not be named. `apiVersion` is left out.
 *
 * @category models
 * @since 0.1.0
 */
export type Newest<Options> = Options & { readonly apiVersion?: undefined }

/**
 * Options of a call that names its version: the type can't be given without it. `apiVersion` is that version.
 *
 * @category models
 * @since 0.1.0
 */
export type Of<V extends ApiVersion.ApiVersion, Options> = Options & { readonly apiVersion: V }

/**
 * A list operation over the pages of `Id`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Pages<Id, Q extends Query = Query> {
  (id: Id, options?: Newest<Q & Reading>): Stream.Stream<EventPage, PagesError>
  <V extends ApiVersion.ApiVersion>(id: Id, options: Of<V, Q & Reading>): Stream.Stream<EventPage<V>, PagesError>
}

/**
 * A list operation over the events of `Id`, typed also by what `onInvalid` fails with and needs. To who takes them by the chunk: a page
 * comes whole (in parts, where an entry is no event), and an empty chunk behind it, so that nothing holds it while the next one comes.
 *
 * @category models
 * @since 0.1.0
 */
export interface List<Id, Q extends Query = Query> {
  <E = never, R = never>(
    id: Id,
    options?: Newest<Q & Reading & Delivery<E, R>>,
  ): Stream.Stream<HealthEvent.HealthEvent, ListError | E, R>
  <V extends ApiVersion.ApiVersion, E = never, R = never>(
    id: Id,
    options: Of<V, Q & Reading & Delivery<E, R>>,
  ): Stream.Stream<HealthEvent.HealthEvent<V>, ListError | E, R>
}

/**
 * A list operation that has all events of `Id`, or none: for what came before an error, read the stream.
 *
 * @category models
 * @since 0.1.0
 */
export interface Collect<Id, Q extends Query = Query> {
  <E = never, R = never>(
    id: Id,
    options?: Newest<Q & Reading & Delivery<E, R>>,
  ): Effect.Effect<ReadonlyArray<HealthEvent.HealthEvent>, ListError | E, R>
  <V extends ApiVersion.ApiVersion, E = never, R = never>(
    id: Id,
    options: Of<V, Q & Reading & Delivery<E, R>>,
  ): Effect.Effect<ReadonlyArray<HealthEvent.HealthEvent<V>>, ListError | E, R>
}

/**
 * Finds an event of a subscription by its tracking id, which is its `name`, without regard to case; as far back as
 * `queryStartTime` says. Reads no page after the one that has it. An entry of this name that is no event is an
 * `InvalidEvent`; other such entries don't matter.
 *
 * @category models
 * @since 0.1.0
 */
export interface Find {
  (
    id: SubscriptionId,
    trackingId: TrackingId,
    options?: Newest<SubscriptionQuery & Bounds>,
  ): Effect.Effect<Option.Option<HealthEvent.HealthEvent>, ListError>
  <V extends ApiVersion.ApiVersion>(
    id: SubscriptionId,
    trackingId: TrackingId,
    options: Of<V, SubscriptionQuery & Bounds>,
  ): Effect.Effect<Option.Option<HealthEvent.HealthEvent<V>>, ListError>
}
