/** One list, from the first page or a checkpoint: page by page, event by event, or up to an event. */
import * as Link from "@vigil/core-http/Link"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Paging from "@vigil/paging/Paging"
import { PageLimit } from "@vigil/paging/PagingError"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type * as Checkpoint from "../Checkpoint.js"
import { CheckpointMismatch } from "../CheckpointMismatch.js"
import * as Filter from "../Filter.js"
import { InvalidEvent } from "../InvalidEvent.js"
import type * as Listing from "../Listing.js"
import { distinct } from "./distinct.js"
import * as startTime from "./startTime.js"
import { versionOf } from "./versionOf.js"

/** The list that an operation reads. */
export interface Source extends Pick<Checkpoint.List, "vendor" | "scope" | "id"> {
  readonly service: ServiceClient.Service
  readonly operation: string
  readonly path: string
}

/** The options of all list operations. */
export type Options<V extends ApiVersion.ApiVersion> = Listing.SubscriptionQuery<V> & Listing.PageOptions

/** A page, and for each invalid entry how many of the items stand before it. */
interface PlacedPage<V extends ApiVersion.ApiVersion> extends Listing.EventPage<V> {
  readonly places: ReadonlyArray<number>
}

/** Leaves out the events updated before `since`. */
const select = <V extends ApiVersion.ApiVersion>(page: EventsPage.Page<V>, since: DateTime.Utc | undefined) => {
  const items: Array<HealthEvent.HealthEvent<V>> = []
  let read = 0
  const readUntil = (end: number) => {
    for (const event of page.items.slice(read, end))
      if (since === undefined || startTime.isSince(event, since)) items.push(event)
    read = end
    return items.length
  }
  // `index` counts the invalid entries before it as well.
  const places = page.invalid.map(({ index }, before) => readUntil(index - before))
  readUntil(page.items.length)
  return { items, invalid: page.invalid, places }
}

const read = <V extends ApiVersion.ApiVersion>(
  { id, operation, path, scope, service, vendor }: Source,
  options: Options<V>,
): Stream.Stream<PlacedPage<V>, Listing.PagesError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { filter = "", from, maxItems, maxPages, onProgress, prefetch, queryStartTime } = options
      const version = versionOf(options.apiVersion)
      const startedAt = from?.startedAt ?? (yield* DateTime.now)
      const { since, text } = yield* startTime.resolve(queryStartTime, startedAt, operation)
      const list: Checkpoint.List = {
        baseUrl: service.url(""),
        vendor,
        scope,
        id,
        apiVersion: version,
        filter: Filter.render(filter),
        queryStartTime: since === undefined ? text : DateTime.formatIso(since),
      }
      const field = from && Struct.keys(list).find((field) => from.list[field] !== list[field])
      if (from !== undefined && field !== undefined)
        return yield* new CheckpointMismatch({ operation, field, expected: list[field], actual: from.list[field] })

      const first = service.url(path, {
        "api-version": version,
        ...(list.filter === "" ? {} : { $filter: list.filter }),
        ...(text === "" ? {} : { queryStartTime: text }),
      })
      const decode = EventsPage.decode(version, { vendor })
      const next = (url: string) =>
        Effect.map(service.getLocated({ operation, url, decode }), ({ url, value }) => ({
          ...select(value, since),
          // A link to another origin fails when it is followed, after the page that contains it.
          next: Option.map(value.nextLink, (link) => Link.absolute(url, link)),
        }))
      const start = from === undefined ? { first } : { from }
      return Paging.pages({ ...start, next, maxItems, maxPages, onProgress, prefetch }).pipe(
        Stream.map(({ checkpoint, items, page: { invalid, items: all, places } }): PlacedPage<V> => ({
          items,
          // If `maxItems` cut the page, the entries after the cut are delivered when it is read again.
          invalid: items.length === all.length ? invalid : invalid.filter((_, at) => (places[at] ?? 0) < items.length),
          places,
          checkpoint: { ...checkpoint, startedAt, list },
        })),
        Stream.mapError((error) =>
          error._tag === "PageLimit"
            ? new PageLimit({
                limit: error.limit,
                allowed: error.allowed,
                checkpoint: { ...error.checkpoint, startedAt, list },
              })
            : error,
        ),
      )
    }),
  )

/** The list, page by page. */
export const pages = <V extends ApiVersion.ApiVersion>(
  source: Source,
  options: Options<V>,
): Stream.Stream<Listing.EventPage<V>, Listing.PagesError> =>
  Stream.map(read(source, options), ({ checkpoint, invalid, items }) => ({ items, invalid, checkpoint }))

/** The list, event by event, with invalid entries reported in their place. */
export const events = <V extends ApiVersion.ApiVersion, E, R>(
  source: Source,
  options: Options<V> & Listing.EventOptions<E, R>,
): Stream.Stream<HealthEvent.HealthEvent<V>, Listing.ListError | E, R> => {
  const report = (entry: EventsPage.Invalid): Effect.Effect<unknown, InvalidEvent | E, R> => {
    const error = new InvalidEvent({ ...entry, operation: source.operation })
    return options.onInvalid === undefined ? error : options.onInvalid(error)
  }
  const all = Stream.flatMap(read(source, options), ({ invalid, items, places }) => {
    const between = (from?: number, to?: number) => Stream.fromChunk(Chunk.unsafeFromArray(items.slice(from, to)))
    if (invalid.length === 0) return between()
    const parts = invalid.map((entry, at) =>
      Stream.concat(between(places[at - 1], places[at]), Stream.execute(Effect.suspend(() => report(entry)))),
    )
    return Stream.concat(Stream.concatAll(Chunk.unsafeFromArray(parts)), between(places[invalid.length - 1]))
  })
  return options.distinct === true ? distinct(all) : all
}

/** The first event with this tracking ID. */
export const find = <V extends ApiVersion.ApiVersion>(
  source: Source,
  trackingId: string,
  options: Options<V>,
): Effect.Effect<Option.Option<HealthEvent.HealthEvent<V>>, Exclude<Listing.ListError, CheckpointMismatch>> =>
  pages(source, options).pipe(
    Stream.flatMap(({ invalid, items }) => {
      const isWanted = (entry: unknown) => HealthEvent.trackingKey(entry) === trackingId.toLowerCase()
      const event = items.find(isWanted)
      if (event !== undefined) return Stream.succeed(event)
      const entry = invalid.find(({ raw }) => isWanted(raw))
      return entry === undefined ? Stream.empty : new InvalidEvent({ ...entry, operation: source.operation })
    }),
    Stream.runHead,
    // Only a call with `from` fails with it.
    Effect.catchTag("CheckpointMismatch", Effect.die),
  )
