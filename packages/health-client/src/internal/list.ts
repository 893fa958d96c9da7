/** A list operation, as both of its readings are made. */
import { LinkRefused } from "@vigil/core-http/HttpError"
import type * as Link from "@vigil/core-http/Link"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Paging from "@vigil/paging/Paging"
import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { InvalidEvent } from "../InvalidEvent.js"
import type * as Listing from "../Listing.js"

/** A place in the list: the address of a page, or a link that may not be followed, whose page fails when it is asked for. */
type Cursor = Either.Either<string, Link.Refusal>

/** The pages of a list that begins at an address. `operation` is what the caller called. */
export const pages = <V extends ApiVersion.ApiVersion>(
  service: ServiceClient.Service,
  operation: string,
  version: V,
  first: string,
  { maxPages }: Listing.PagesOptions,
): Stream.Stream<Listing.EventPage<V>, Listing.PagesError> => {
  const decode = EventsPage.decode(version)
  const follow = (url: string) =>
    service.get({
      operation,
      url,
      decode: (json, source) =>
        Either.map(decode(json), ({ invalid, items, nextLink }) => ({
          items,
          invalid,
          next: Option.map(nextLink, (link): Cursor => service.resolve(source.url, link)),
        })),
    })
  const next = (cursor: Cursor) =>
    Either.match(cursor, {
      onLeft: (refusal) => new LinkRefused({ ...refusal, operation }),
      onRight: follow,
    })
  const start: Cursor = Either.right(first)
  return Stream.map(Paging.pages({ first: start, maxPages, next }), ({ invalid, items }) => ({ items, invalid }))
}

/** The events of a page in their order, and between them, in its place, what becomes of each entry that is none. */
export const events = <V extends ApiVersion.ApiVersion, E, R>(
  operation: string,
  { invalid, items }: Listing.EventPage<V>,
  onInvalid: Listing.ListOptions<E, R>["onInvalid"],
): Stream.Stream<HealthEvent.HealthEvent<V>, InvalidEvent | E, R> => {
  const between = (from: number, to?: number) => Stream.fromChunk(Chunk.unsafeFromArray(items.slice(from, to)))
  let position = 0
  const parts = invalid.flatMap(
    (entry, before): ReadonlyArray<Stream.Stream<HealthEvent.HealthEvent<V>, InvalidEvent | E, R>> => {
      const error = new InvalidEvent({ ...entry, operation })
      const start = position
      // As many of the entries before it as were no events are not among the items.
      position = entry.index - before
      return [between(start, position), onInvalid === undefined ? Stream.fail(error) : Stream.execute(onInvalid(error))]
    },
  )
  return Stream.concatAll(Chunk.unsafeFromArray([...parts, between(position)]))
}
