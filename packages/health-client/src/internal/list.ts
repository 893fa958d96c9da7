/** One list as a stream of pages or events, from the first page or a checkpoint. */
import * as Link from "@vigil/core-http/Link"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Paging from "@vigil/paging/Paging"
import { PageLimit } from "@vigil/paging/PagingError"
import * as Arr from "effect/Array"
import * as Channel from "effect/Channel"
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
import * as startTime from "./startTime.js"
import { versionOf } from "./versionOf.js"

export interface Source extends Pick<Checkpoint.List, "vendor" | "scope" | "id"> {
  readonly service: ServiceClient.Service
  readonly operation: string
  readonly path: string
}

export type Options<V extends ApiVersion.ApiVersion> = Listing.SubscriptionQuery<V> & Listing.PageOptions

/** A page. `offsets` has the number of items before each invalid entry. */
interface PageWithOffsets<V extends ApiVersion.ApiVersion> extends Listing.EventPage<V> {
  readonly offsets: ReadonlyArray<number>
}

/** Leaves out events updated before `since`. */
const select = <V extends ApiVersion.ApiVersion>({ invalid, items }: EventsPage.Page<V>, since?: DateTime.Utc) => {
  // `index` also counts the invalid entries before it.
  const offsets = invalid.map(({ index }, before) => index - before)
  if (since === undefined) return { items, invalid, offsets }
  const selected = new Set(items.filter((event) => startTime.isSince(event, since)))
  const counts = Arr.scan(items, 0, (count, event) => (selected.has(event) ? count + 1 : count))
  return { items: [...selected], invalid, offsets: offsets.map((offset) => counts[offset] ?? 0) }
}

const read = <V extends ApiVersion.ApiVersion>(
  { id, operation, path, scope, service, vendor }: Source,
  options: Options<V>,
): Stream.Stream<PageWithOffsets<V>, Listing.PagesError> =>
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
      const next = (cursor: string) =>
        Effect.map(service.getWithUrl({ operation, url: cursor, decode }), ({ url, value }) => ({
          ...select(value, since),
          // A link to another origin fails when it is followed, after this page is delivered.
          next: Option.map(value.nextLink, (link) => Link.toAbsolute(url, link)),
        }))
      const start = from === undefined ? { first } : { from }
      return Paging.pages({ ...start, next, maxItems, maxPages, onProgress, prefetch }).pipe(
        Stream.map(({ checkpoint, items, page: { invalid, items: all, offsets } }): PageWithOffsets<V> => ({
          items,
          // If `maxItems` cut the page, later entries are delivered when it is read again.
          invalid:
            items.length === all.length ? invalid : invalid.filter((_, index) => (offsets[index] ?? 0) < items.length),
          offsets,
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

export const pages = <V extends ApiVersion.ApiVersion>(
  source: Source,
  options: Options<V>,
): Stream.Stream<Listing.EventPage<V>, Listing.PagesError> =>
  Stream.map(read(source, options), ({ checkpoint, invalid, items }) => ({ items, invalid, checkpoint }))

/** Streams the events, and reports invalid entries in their order. */
export const events = <V extends ApiVersion.ApiVersion, E, R>(
  source: Source,
  options: Options<V> & Listing.EventOptions<E, R>,
): Stream.Stream<HealthEvent.HealthEvent<V>, Listing.ListError | E, R> => {
  const report = (entry: EventsPage.InvalidEntry): Effect.Effect<unknown, InvalidEvent | E, R> => {
    const error = new InvalidEvent({ ...entry, operation: source.operation })
    return options.onInvalid === undefined ? error : options.onInvalid(error)
  }
  type Part<In = unknown, Err = unknown> = Channel.Channel<
    Chunk.Chunk<HealthEvent.HealthEvent<V>>,
    In,
    Listing.ListError | E,
    Err,
    unknown,
    unknown,
    R
  >
  const parts = (page: PageWithOffsets<V>, index = 0): Part => {
    const { invalid, items, offsets } = page
    const entry = invalid[index]
    const events: Part = Channel.write(Chunk.unsafeFromArray(items.slice(offsets[index - 1] ?? 0, offsets[index])))
    return entry === undefined
      ? events
      : events.pipe(
          Channel.flatMap(() => Channel.fromEffect(Effect.suspend(() => report(entry)))),
          Channel.flatMap(() => parts(page, index + 1)),
        )
  }
  const start: Part = Channel.void
  // `Stream.flatMap` retains pages for longer: `pnpm bench race` takes 40 % more CPU time with it.
  const each: Part<Chunk.Chunk<PageWithOffsets<V>>, Listing.PagesError> = Channel.readWithCause({
    onInput: (pages) =>
      Channel.flatMap(
        // Passes on the empty chunk between pages, because a channel retains the chunk that it wrote last.
        Chunk.isEmpty(pages)
          ? Channel.write(Chunk.empty())
          : Chunk.reduce(pages, start, (done, page) => Channel.flatMap(done, () => parts(page))),
        () => each,
      ),
    onFailure: Channel.failCause,
    onDone: Channel.succeed,
  })
  const all = Stream.pipeThroughChannel(read(source, options), each)
  if (options.distinct !== true) return all
  return Stream.suspend(() => {
    const keys = new Set<string>()
    return Stream.filter(all, (event) => {
      const key = HealthEvent.recordKey(event)
      return key === undefined || keys.size < keys.add(key).size
    })
  })
}

/** Finds the first event with this tracking ID. */
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
    // Only calls with `from` fail with it.
    Effect.catchTag("CheckpointMismatch", Effect.die),
  )
