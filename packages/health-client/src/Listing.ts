/** What a list operation takes and gives, page by page and event by event. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as PagingError from "@vigil/paging/PagingError"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { InvalidEvent } from "./InvalidEvent.js"

/**
 * A page of events: the good ones in `items`, those that are no event of the version in `invalid`.
 *
 * @category models
 * @since 0.1.0
 */
export interface EventPage<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly items: ReadonlyArray<HealthEvent.HealthEvent<V>>
  readonly invalid: ReadonlyArray<EventsPage.Invalid>
}

/**
 * What a list of pages fails with, after the pages before it.
 *
 * @category errors
 * @since 0.1.0
 */
export type PagesError = RequestError | PagingError.PagingError

/**
 * What a list of events fails with, after the events before it.
 *
 * @category errors
 * @since 0.1.0
 */
export type ListError = PagesError | InvalidEvent

/**
 * How a list is read as pages.
 *
 * @category models
 * @since 0.1.0
 */
export interface PagesOptions {
  /** The version asked for, which decides the type of the events. Default: `2025-05-01`. */
  readonly apiVersion?: ApiVersion.ApiVersion | undefined
  /** How many pages may be read; more is a `PageLimit`. Default: no limit. */
  readonly maxPages?: number | undefined
}

/**
 * How a list is read as events.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListOptions<E = never, R = never> extends PagesOptions {
  /**
   * What to do about an entry that is no event, in its place between the events; then the list goes on. Without it, such
   * an entry fails the list with `InvalidEvent`, once all before it is out.
   */
  readonly onInvalid?: ((event: InvalidEvent) => Effect.Effect<unknown, E, R>) | undefined
}

/**
 * A list operation over the pages of `Id`. The type of the result follows `apiVersion`; the type parameter can't be given
 * without it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Pages<Id> {
  (id: Id, options?: PagesOptions & { readonly apiVersion?: undefined }): Stream.Stream<EventPage, PagesError>
  <V extends ApiVersion.ApiVersion>(
    id: Id,
    options: PagesOptions & { readonly apiVersion: V },
  ): Stream.Stream<EventPage<V>, PagesError>
}

/**
 * A list operation over the events of `Id`, typed like `Pages`, and by what `onInvalid` fails with and needs.
 *
 * @category models
 * @since 0.1.0
 */
export interface List<Id> {
  <E = never, R = never>(
    id: Id,
    options?: ListOptions<E, R> & { readonly apiVersion?: undefined },
  ): Stream.Stream<HealthEvent.HealthEvent, ListError | E, R>
  <V extends ApiVersion.ApiVersion, E = never, R = never>(
    id: Id,
    options: ListOptions<E, R> & { readonly apiVersion: V },
  ): Stream.Stream<HealthEvent.HealthEvent<V>, ListError | E, R>
}
