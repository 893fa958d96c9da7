/** A list of a service, and its pages as a stream, from the first page or a checkpoint. For authors of clients. */
import type { Issue } from "@vigil/core-http/Decoder"
import * as PlainText from "@vigil/core-http/PlainText"
import type * as Request from "@vigil/core-http/Request"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as Span from "@vigil/core-http/Span"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Paging from "@vigil/paging/Paging"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type * as Checkpoint from "./Checkpoint.js"
import { CheckpointMismatch } from "./CheckpointMismatch.js"
import type * as Listing from "./Listing.js"
import { PageLimit } from "./PagingError.js"
import { read } from "./internal/read.js"

/** A page of the service. @category models @since 0.2.0 */
export interface Entries<A> {
  readonly items: ReadonlyArray<A>
  readonly invalid: ReadonlyArray<EventsPage.InvalidEntry>
  readonly nextLink: string | undefined
}

/** Where a list starts. @category models @since 0.2.0 */
export interface Start<A> {
  /** The text of `queryStartTime`; empty for none. */
  readonly text: string
  /** The instant, if the client knows it. It leaves out entries that were updated before. */
  readonly since: DateTime.Utc | undefined
  /** Whether an entry was updated at or after an instant. */
  readonly isSince: (item: A, since: DateTime.Utc) => boolean
}

/** A list of `A`. @category models @since 0.2.0 */
export interface Source<A> {
  readonly service: ServiceClient.Service
  /** What identifies the list in a checkpoint. */
  readonly list: Omit<Checkpoint.List, "baseUrl" | "queryStartTime">
  /** The name of the call, and of the span of the list, such as `HealthClient.pagesBySubscription`. */
  readonly operation: string
  /** The name of the span of each page, such as `HealthClient.page`. */
  readonly span: string
  readonly path: string
  /** The method for the first page. Links are followed by GET. */
  readonly method: "GET" | "POST"
  /** Decodes the JSON of a page. */
  readonly decode: (json: unknown) => Result.Result<Entries<A>, Issue>
  /** Returns the ID in an entry that does not decode. Default: its `name`, which is the tracking ID of an event. */
  readonly identify?: ((raw: unknown) => string | undefined) | undefined
  /** Returns the start of a list that was started at a time. Default: the service decides. */
  readonly start?: ((startedAt: DateTime.Utc) => Start<A>) | undefined
}

const noStart: Start<unknown> = { text: "", since: undefined, isSince: () => true }

/** Returns the URL of a path and the query of a source. @category requests @since 0.2.0 */
export const url = (
  { list: { apiVersion, expand, filter }, service }: Pick<Source<never>, "list" | "service">,
  path: string,
  queryStartTime = "",
): string =>
  service.url(path, {
    "api-version": apiVersion,
    ...(filter && { $filter: filter }),
    ...(expand && { $expand: expand }),
    ...(queryStartTime && { queryStartTime }),
  })

/**
 * Returns what a refusal of a request is about: its kind, by default that of the list, and its subscription.
 * @category requests @since 0.4.0
 */
export const refusalKey = ({ list: { scope }, path }: Pick<Source<never>, "list" | "path">, kind = scope): string => {
  const [, root, id] = path.toLowerCase().split("/")
  return root === "subscriptions" ? `${kind} ${id}` : kind
}

/** Returns the attributes of the span of a call. @category requests @since 0.2.0 */
export const attributes = ({
  list: { apiVersion, id, scope },
}: Pick<Source<never>, "list">): Readonly<Record<string, string>> => ({
  "health.scope": scope,
  "health.id": id,
  "health.api_version": apiVersion,
})

/** Leaves out items updated before the start. */
const select = <A>({ invalid, items }: Entries<A>, { isSince, since }: Start<A>) => {
  const selected: Array<A> = []
  /** How many of the first items are selected. */
  const counts = [0]
  for (const item of items) {
    if (since === undefined || isSince(item, since)) selected.push(item)
    counts.push(selected.length)
  }
  return {
    items: selected,
    invalid,
    // `index` also counts the invalid entries before it.
    offsets: invalid.map(({ index }, before) => counts[index - before] ?? 0),
    older: items.length - selected.length,
  }
}

const nameIn = (raw: unknown): string | undefined =>
  Predicate.hasProperty(raw, "name") && typeof raw.name === "string" ? raw.name : undefined

/** The characters that mean the same in a URL with and without percent-encoding. Cursors may have bytes that are not UTF-8, which stay encoded. */
const respell = (text: string): string =>
  text.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[\w.~$!'()*,:@/-]/.test(character) ? character : escape.toUpperCase()
  })

/** Returns the same text for links to one page, whatever the order and the encoding of their query parameters are. */
const keyOf = (link: string): string => {
  const [path = "", ...query] = link.split("?")
  const parameters = respell(query.join("?"))
    .split("&")
    .filter((parameter) => parameter !== "")
  return `${respell(path)}?${parameters.toSorted().join("&")}`
}

interface Fetched<A> extends ReturnType<typeof select<A>> {
  readonly next: string | undefined
}

/**
 * Streams the pages of a list. A page is fetched when the previous one is consumed. A page with an error beside its entries
 * (`ErrorBody.inSuccess`) may be incomplete, so it fails with the reason `Decode`.
 * @category streams @since 0.2.0
 */
export const pages = <
  A,
  From extends Checkpoint.Checkpoint | undefined = undefined,
  Max extends number | undefined = number | undefined,
>(
  source: Source<A>,
  { from, maxPages }: Listing.PageOptions<From, Max>,
): Stream.Stream<Listing.Page<A>, Listing.PagesError<From, Max>> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { identify = nameIn, operation, service } = source
      const idOf = (raw: unknown) => PlainText.toSingleLine(identify(raw) ?? "", 199) || undefined
      const startedAt = from?.startedAt ?? (yield* DateTime.now)
      const start = source.start?.(startedAt) ?? noStart
      const list: Checkpoint.List = {
        ...source.list,
        baseUrl: service.url(""),
        queryStartTime: start.since === undefined ? start.text : DateTime.formatIso(start.since),
      }
      const field = from && Struct.keys(list).find((field) => from.list[field] !== list[field])
      if (from !== undefined && field !== undefined) {
        const actual = from.list[field] ?? ""
        const mismatch = new CheckpointMismatch({ operation, field, expected: list[field] ?? "", actual })
        // `from` is a checkpoint, so `From` includes that type.
        return yield* Effect.fail(mismatch as Listing.Mismatch<From>)
      }

      const first = url(source, source.path, start.text)
      const options: Omit<Request.Send<Fetched<A>>, "accepts" | "idempotent"> = {
        operation,
        span: source.span,
        refusalKey: refusalKey(source),
        decode: (json, response) =>
          Effect.flatMap(Effect.fromResult(source.decode(json)), (page) => {
            // A fragment is not sent. A link to another origin fails when it is followed, after this page is delivered.
            const next =
              page.nextLink && (URL.parse(page.nextLink, response.url)?.href.replace(/#.*/, "") ?? page.nextLink)
            const fetched = { ...select(page, start), next }
            return Effect.as(Effect.annotateCurrentSpan("health.items", page.items.length), fetched)
          }),
      }
      const fetch = (url: string) => read(service, url === first ? source.method : "GET", url, options)
      const position = from === undefined ? { first } : { from }
      return Paging.mapPages(
        { ...position, fetch, key: keyOf, maxPages },
        ({ checkpoint, page: { invalid, items, offsets, older } }): ReadonlyArray<Listing.Page<A>> => [
          {
            items,
            invalid: invalid.map((entry) => ({ ...entry, page: checkpoint.pages, trackingId: idOf(entry.raw) })),
            offsets,
            older,
            checkpoint: { ...checkpoint, startedAt, list },
          },
        ],
      ).pipe(
        Stream.mapError((error) => {
          if (error._tag !== "PageLimit") return error
          const position = Redacted.make({ ...error.checkpoint, startedAt, list })
          // There is a limit, so `Max` is a number.
          return new PageLimit({ allowed: error.allowed, position }) as Listing.Limited<Max>
        }),
      )
    }),
  ).pipe(Span.runStream(source.operation, { attributes: attributes(source) }))
