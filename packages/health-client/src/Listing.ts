/** A list operation, read page by page or event by event. */
import * as Link from "@vigil/core-http/Link"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { Page } from "@vigil/paging/Page"
import * as Paging from "@vigil/paging/Paging"
import type * as PagingError from "@vigil/paging/PagingError"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { InvalidEvent } from "./InvalidEvent.js"

/**
 * A page of events: the good ones in `items`, those that are no event of the version in `invalid`, and in `next` the
 * address of the page after it.
 *
 * @category models
 * @since 0.1.0
 */
export interface EventPage<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Page<
  HealthEvent.HealthEvent<V>,
  string
> {
  readonly invalid: ReadonlyArray<EventsPage.Invalid>
}

/**
 * @category errors
 * @since 0.1.0
 */
export type PagesError = ServiceClient.RequestError | PagingError.PagingError

/**
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
export interface ListOptions extends PagesOptions {
  /** What to do about an entry that is no event. Without it, such an entry fails the list once all before it is out. */
  readonly onInvalid?: ((event: InvalidEvent) => Effect.Effect<void>) | undefined
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
 * A list operation over the events of `Id`, typed like `Pages`.
 *
 * @category models
 * @since 0.1.0
 */
export interface List<Id> {
  (
    id: Id,
    options?: ListOptions & { readonly apiVersion?: undefined },
  ): Stream.Stream<HealthEvent.HealthEvent, ListError>
  <V extends ApiVersion.ApiVersion>(
    id: Id,
    options: ListOptions & { readonly apiVersion: V },
  ): Stream.Stream<HealthEvent.HealthEvent<V>, ListError>
}

/**
 * Both readings of one list operation. `path` says where the list of an `Id` is.
 *
 * @internal
 */
export const make = <Id>(
  service: ServiceClient.Service,
  operation: string,
  path: (id: Id) => string,
): { readonly pages: Pages<Id>; readonly list: List<Id> } => {
  const page = <V extends ApiVersion.ApiVersion>(version: V, url: string) =>
    Effect.map(
      service.get({ operation, url, decode: EventsPage.decode(version) }),
      ({ invalid, items, nextLink }): EventPage<V> => ({
        items,
        invalid,
        // A link that may not be followed stays as it is: the service refuses it when it is, after this page is out.
        next: Option.map(nextLink, (link) => Either.getOrElse(Link.resolve(url, link), () => link)),
      }),
    )

  const pages = <V extends ApiVersion.ApiVersion>(id: Id, version: V, options: PagesOptions) =>
    Paging.pages({
      first: service.url(path(id), { "api-version": version }),
      maxPages: options.maxPages,
      next: (url) => page(version, url),
    })

  const events = <V extends ApiVersion.ApiVersion>(
    { invalid, items }: EventPage<V>,
    onInvalid: ListOptions["onInvalid"],
  ): Stream.Stream<HealthEvent.HealthEvent<V>, InvalidEvent> => {
    const [first] = invalid
    const all = Stream.fromChunk(Chunk.unsafeFromArray(items))
    if (first === undefined) return all
    const error = (entry: EventsPage.Invalid) => new InvalidEvent({ ...entry, operation })
    return onInvalid === undefined
      ? Stream.concat(Stream.fromIterable(items.slice(0, first.index)), Stream.fail(error(first)))
      : Stream.unwrap(
          Effect.as(
            Effect.forEach(invalid, (entry) => onInvalid(error(entry)), { discard: true }),
            all,
          ),
        )
  }

  return {
    pages: (id: Id, options: PagesOptions = {}) => pages(id, options.apiVersion ?? ApiVersion.latest, options),
    list: (id: Id, options: ListOptions = {}) =>
      Stream.flatMap(pages(id, options.apiVersion ?? ApiVersion.latest, options), (page) =>
        events(page, options.onInvalid),
      ),
  }
}
