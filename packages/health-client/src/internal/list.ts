/** A list operation, as all of its readings are made. */
import * as Link from "@vigil/core-http/Link"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { Checkpoint as PagingCheckpoint } from "@vigil/paging/Checkpoint"
import * as Paging from "@vigil/paging/Paging"
import { PageLimit } from "@vigil/paging/PagingError"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type * as Checkpoint from "../Checkpoint.js"
import { CheckpointMismatch } from "../CheckpointMismatch.js"
import { InvalidEvent } from "../InvalidEvent.js"
import type * as Listing from "../Listing.js"
import * as filterText from "./filterText.js"
import { nameOf } from "./sighting.js"
import * as startTime from "./startTime.js"

/** One list of one version: what the caller called, and whose events the list has. */
export interface Source<V extends ApiVersion.ApiVersion> extends Pick<Checkpoint.List, "vendor" | "scope" | "id"> {
  readonly service: ServiceClient.Service
  readonly operation: string
  readonly version: V
  readonly path: string
}

/** Everything that may be asked of a list. */
export type Options = Listing.SubscriptionQuery & Listing.Reading

/** A page, how many of its events count, and how many of them stand before each entry that is none. */
interface Read<V extends ApiVersion.ApiVersion> extends Listing.EventPage<V> {
  readonly total: number
  readonly before: ReadonlyArray<number>
}

/** A parameter that is there when it says something. */
const parameter = (name: string, value: string): Readonly<Record<string, string>> =>
  value === "" ? {} : { [name]: value }

/** What a call asks for: its list, the URL of the first page, and the instant from which on events count. */
const ask = <V extends ApiVersion.ApiVersion>(
  { id, operation, path, scope, service, vendor, version }: Source<V>,
  { filter, queryStartTime }: Listing.SubscriptionQuery,
  startedAt: DateTime.Utc,
) =>
  // A resource's list has no start (document, "Endpoints").
  Either.map(
    startTime.resolve(scope === "subscription" ? queryStartTime : undefined, startedAt, operation),
    ({ since, text = "" }) => {
      const list: Checkpoint.List = {
        baseUrl: service.url(""),
        vendor,
        scope,
        id,
        apiVersion: version,
        filter: filterText.of(filter) ?? "",
        queryStartTime: Option.match(since, { onNone: () => text, onSome: DateTime.formatIso }),
      }
      const first = service.url(path, {
        "api-version": version,
        ...parameter("$filter", list.filter),
        ...parameter("queryStartTime", text),
      })
      return { first, list, since }
    },
  )

/** The events of a page that count, and how many of them stand before each entry that is none. */
const counted = <V extends ApiVersion.ApiVersion>(
  { invalid, items }: EventsPage.Page<V>,
  since: Option.Option<DateTime.Utc>,
) => {
  // As many of the entries before it as were no events are not among the items.
  const places = invalid.map(({ index }, earlier) => index - earlier)
  if (Option.isNone(since)) return { items, invalid, before: places, total: items.length }
  const kept: Array<HealthEvent.HealthEvent<V>> = []
  const before: Array<number> = []
  for (const [at, event] of items.entries()) {
    while ((places[before.length] ?? items.length) <= at) before.push(kept.length)
    if (startTime.isSince(event, since.value)) kept.push(event)
  }
  while (before.length < places.length) before.push(kept.length)
  return { items: kept, invalid, before, total: kept.length }
}

type Events<V extends ApiVersion.ApiVersion> = Chunk.Chunk<HealthEvent.HealthEvent<V>>

/** What a page is made of in a stream of events. */
type Part<V extends ApiVersion.ApiVersion, E, R> = Channel.Channel<Events<V>, unknown, E, unknown, unknown, unknown, R>

/** How many of the entries that are no event are delivered: of a page that crosses a limit, those before its last event. */
const delivered = <V extends ApiVersion.ApiVersion>({ before, items, total }: Read<V>): number => {
  if (items.length === total) return before.length
  const cut = before.findIndex((place) => place >= items.length)
  return cut === -1 ? before.length : cut
}

const read = <V extends ApiVersion.ApiVersion>(
  source: Source<V>,
  options: Options,
): Stream.Stream<Read<V>, Listing.PagesError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { operation, service, vendor, version } = source
      const { from, maxItems, maxPages, onProgress, prefetch } = options
      const startedAt = from?.startedAt ?? (yield* DateTime.now)
      const { first, list, since } = yield* ask(source, options, startedAt)
      const field = from && Struct.keys(list).find((field) => from.list[field] !== list[field])
      if (from !== undefined && field !== undefined)
        return yield* new CheckpointMismatch({ operation, field, expected: list[field], actual: from.list[field] })

      const decode = EventsPage.decode(version, { vendor })
      const next = (cursor: string) =>
        Effect.map(service.getWithUrl({ operation, url: cursor, decode }), ({ url, value }) => ({
          ...counted(value, since),
          // A link to another origin is refused when it is followed: its page is delivered before.
          next: Option.map(value.nextLink, (link) => Link.absolute(url, link)),
        }))
      const checkpoint = (place: PagingCheckpoint<string>): Checkpoint.Checkpoint => ({ ...place, startedAt, list })
      const start = from === undefined ? { first } : { from }
      return Paging.pages({ ...start, next, maxItems, maxPages, onProgress, prefetch }).pipe(
        Stream.map((delivery): Read<V> => {
          const { before, invalid, total } = delivery.page
          return { before, invalid, total, items: delivery.items, checkpoint: checkpoint(delivery.checkpoint) }
        }),
        Stream.mapError((error) =>
          error._tag === "PageLimit"
            ? new PageLimit({ limit: error.limit, allowed: error.allowed, checkpoint: checkpoint(error.checkpoint) })
            : error,
        ),
      )
    }),
  )

/** The list, page by page. */
export const pages = <V extends ApiVersion.ApiVersion>(
  source: Source<V>,
  options: Options,
): Stream.Stream<Listing.EventPage<V>, Listing.PagesError> =>
  Stream.map(read(source, options), (page) => ({
    items: page.items,
    invalid: page.invalid.slice(0, delivered(page)),
    checkpoint: page.checkpoint,
  }))

/**
 * What a page is in a stream of events, part by part: events in their order, and between them, in its place, what becomes of each
 * entry that is none. The last part is empty: a stream holds on to what it emitted last, and if that were a page, the garbage
 * collector would copy it about for as long as the next one is on its way. Events are written, and not the result of an effect:
 * what a channel's effect refers to is old at once, and collected seldom (docs/benchmarks).
 */
const parts = <V extends ApiVersion.ApiVersion, E, R>(
  operation: string,
  page: Read<V>,
  onInvalid: Listing.Tolerance<E, R>["onInvalid"],
): ReadonlyArray<Part<V, InvalidEvent | E, R>> => {
  const { before, invalid, items } = page
  const report = (entry: EventsPage.Invalid): Effect.Effect<unknown, InvalidEvent | E, R> => {
    const error = new InvalidEvent({ ...entry, operation })
    return onInvalid === undefined ? Effect.fail(error) : onInvalid(error)
  }
  const events = (from: number, to?: number) => Channel.write(Chunk.unsafeFromArray(items.slice(from, to)))
  const nothing = Channel.write(Chunk.empty<HealthEvent.HealthEvent<V>>())
  const end = delivered(page)
  if (end === 0) return [Channel.write(Chunk.unsafeFromArray(items)), nothing]
  // The events before each entry, and then that entry; behind the last one, the events that are left.
  return [
    ...invalid
      .slice(0, end)
      .flatMap((entry, at) => [
        events(before[at - 1] ?? 0, before[at]),
        Channel.fromEffect(Effect.suspend(() => report(entry))),
      ]),
    events(before[end - 1] ?? 0),
    nothing,
  ]
}

/** One part behind the other. */
const inOrder = <V extends ApiVersion.ApiVersion, E, R>(parts: ReadonlyArray<Part<V, E, R>>, at = 0): Part<V, E, R> => {
  const part = parts[at]
  return part === undefined ? Channel.void : Channel.flatMap(part, () => inOrder(parts, at + 1))
}

/** The first event of each `id`. */
const distinct = <V extends ApiVersion.ApiVersion, E, R>(
  events: Stream.Stream<HealthEvent.HealthEvent<V>, E, R>,
): Stream.Stream<HealthEvent.HealthEvent<V>, E, R> =>
  Stream.suspend(() => {
    const ids = new Set<string>()
    return Stream.filter(events, ({ id }) => {
      const isNew = id === null || id === undefined || id === "" || !ids.has(id)
      if (isNew) ids.add(id ?? "")
      return isNew
    })
  })

/** The list, event by event. */
export const events = <V extends ApiVersion.ApiVersion, E, R>(
  source: Source<V>,
  options: Options & Listing.Delivery<E, R>,
): Stream.Stream<HealthEvent.HealthEvent<V>, Listing.ListError | E, R> => {
  // In place of `Stream.mapEffect`, which would hold the events in its effects, and bring `Stream.groupByKey` into every bundle.
  const each: Channel.Channel<
    Events<V>,
    Chunk.Chunk<Read<V>>,
    Listing.ListError | E,
    Listing.PagesError,
    unknown,
    unknown,
    R
  > = Channel.readWithCause({
    onInput: (pages) => {
      const all = Chunk.toReadonlyArray(pages).flatMap((page) => parts(source.operation, page, options.onInvalid))
      return Channel.flatMap(inOrder(all), () => each)
    },
    onFailure: Channel.failCause,
    onDone: Channel.succeed,
  })
  const all = Stream.pipeThroughChannel(read(source, options), each)
  return options.distinct === true ? distinct(all) : all
}

/** The first event of this name. */
export const find = <V extends ApiVersion.ApiVersion>(
  source: Source<V>,
  name: string,
  options: Options,
): Effect.Effect<Option.Option<HealthEvent.HealthEvent<V>>, Listing.ListError> =>
  pages(source, options).pipe(
    Stream.flatMap(({ invalid, items }) => {
      const found = items.find((event) => nameOf(event) === name.toLowerCase())
      if (found !== undefined) return Stream.succeed(found)
      const broken = invalid.find(({ raw }) => nameOf(raw) === name.toLowerCase())
      return broken === undefined
        ? Stream.empty
        : Stream.fail(new InvalidEvent({ ...broken, operation: source.operation }))
    }),
    Stream.runHead,
  )
