/** The options, pages and errors of the list operations. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import type * as Effect from "effect/Effect"
import type { Checkpoint } from "./Checkpoint.js"
import type { CheckpointMismatch } from "./CheckpointMismatch.js"
import type { Filter } from "./Filter.js"
import type { InvalidEvent } from "./InvalidEvent.js"
import type { InvalidResource } from "./InvalidResource.js"
import type { PageLimit, PageLoop } from "./PagingError.js"
import type { QueryStartTime } from "./QueryStartTime.js"

/** A page of a list. @category models @since 0.1.0 */
export interface Page<A> {
  /** The valid entries, in order. */
  readonly items: ReadonlyArray<A>
  /** The entries that do not decode. */
  readonly invalid: ReadonlyArray<EventsPage.InvalidEntry>
  /** For each invalid entry, how many of `items` come before it. */
  readonly offsets: ReadonlyArray<number>
  /** How many valid entries are left out, because they were updated before the start time. */
  readonly older: number
  /** Pass it as `from` to resume after this page. */
  readonly checkpoint: Checkpoint
}

/** A page of events. @category models @since 0.1.0 */
export interface EventPage<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Page<
  HealthEvent.HealthEvent<V>
> {}

/** A page of impacted resources. @category models @since 0.1.0 */
export interface ResourcePage extends Page<ImpactedResource.ImpactedResource> {}

/** Errors of fetching pages. `PageLimit` contains the `checkpoint` to resume from. @category errors @since 0.1.0 */
export type FetchError = RequestError | PageLoop | PageLimit

/** Errors of a stream of pages. `CheckpointMismatch` can only occur with `from`. @category errors @since 0.1.0 */
export type PagesError = FetchError | CheckpointMismatch

/** Errors of a stream of events. The events before the error are emitted first. @category errors @since 0.1.0 */
export type ListError = PagesError | InvalidEvent

/** Errors of a stream of impacted resources. @category errors @since 0.1.0 */
export type ResourcesError = PagesError | InvalidResource

/** Which events to list. @category models @since 0.1.0 */
export interface Query<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  /** The API version, which also determines the type of the events. Default: `ApiVersion.latest`. */
  readonly apiVersion?: V | undefined
  /** The `$filter`: a `Filter`, or text that is sent unchanged. Default: no filter. */
  readonly filter?: Filter | string | undefined
}

/** Which impacted resources to list. @category models @since 0.1.0 */
export interface ResourceQuery extends Query<ApiVersion.ApiVersion> {
  /**
   * Whether the event is a security advisory. Their resources have an operation of their own, which needs a separate permission. Default:
   * `false`.
   */
  readonly isSecurityAdvisory?: boolean | undefined
}

/** Which events of a subscription or tenant to list. @category models @since 0.1.0 */
export interface SubscriptionQuery<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Query<V> {
  /**
   * Lists only events updated since an instant, or since a duration ago such as `"30 days"`. The service gets the UTC day, and the client
   * leaves out earlier updates of that day. `QueryStartTime.raw` is sent unchanged. Default: 3 days ago, by the service (document, "Limits").
   */
  readonly queryStartTime?: QueryStartTime | undefined
}

/** How to read the pages of a list. @category models @since 0.1.0 */
export interface PageOptions {
  /** Fails with `PageLimit` if the list continues after this many pages, at least 1. To stop without an error, use `Stream.take`. Default: no limit. */
  readonly maxPages?: number | undefined
  /**
   * Resumes after the page of this checkpoint. The client, ID, `apiVersion`, `filter` and `queryStartTime` must be those of the first run;
   * otherwise the list fails with `CheckpointMismatch` before any request.
   */
  readonly from?: Checkpoint | undefined
}

/** How to deliver entries one by one. `X` is the error for an invalid entry. @category models @since 0.1.0 */
export interface ItemOptions<X, E = never, R = never> {
  /** Runs for an invalid entry, after the entries before it; the list then continues. Default: the list fails with the error. */
  readonly onInvalid?: ((error: X) => Effect.Effect<unknown, E, R>) | undefined
}

/** How to deliver events one by one. @category models @since 0.1.0 */
export interface EventOptions<E = never, R = never> extends ItemOptions<InvalidEvent, E, R> {}

/** How to deliver impacted resources one by one. @category models @since 0.1.0 */
export interface ResourceOptions<E = never, R = never> extends ItemOptions<InvalidResource, E, R> {}
