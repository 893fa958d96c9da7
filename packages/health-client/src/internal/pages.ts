/** A list as a stream of pages, from the first page or a checkpoint. */
import * as Link from "@vigil/core-http/Link"
import * as PlainText from "@vigil/core-http/PlainText"
import type * as Request from "@vigil/core-http/Request"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Paging from "@vigil/paging/Paging"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type * as Checkpoint from "../Checkpoint.js"
import { CheckpointMismatch } from "../CheckpointMismatch.js"
import * as Filter from "../Filter.js"
import type * as Listing from "../Listing.js"
import { PageLimit } from "../PagingError.js"
import { attributesOf, type Source } from "./source.js"
import * as startTime from "./startTime.js"

export interface Options<
  From extends Checkpoint.Checkpoint | undefined = Checkpoint.Checkpoint | undefined,
  Max extends number | undefined = number | undefined,
>
  extends Omit<Listing.SubscriptionQuery, "apiVersion">, Listing.PageOptions<From, Max> {}

interface Entries<A> {
  readonly items: ReadonlyArray<A>
  readonly invalid: ReadonlyArray<EventsPage.InvalidEntry>
}

/** Leaves out items updated before `since`. */
const select = <A>({ isSince }: Source<A>, { invalid, items }: Entries<A>, since: DateTime.Utc | undefined) => {
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
  Predicate.hasProperty(raw, "name") && typeof raw.name === "string" && raw.name !== ""
    ? PlainText.toSingleLine(raw.name, 100)
    : undefined

interface Fetched<A> extends ReturnType<typeof select<A>> {
  readonly next: string | undefined
}

/** The query parameters of a list or an event. */
export const parameters = (
  apiVersion: string,
  filter: string,
  startTime: string,
): Readonly<Record<string, string>> => ({
  "api-version": apiVersion,
  ...(filter && { $filter: filter }),
  ...(startTime && { queryStartTime: startTime }),
})

export const pages = <
  A,
  From extends Checkpoint.Checkpoint | undefined = undefined,
  Max extends number | undefined = number | undefined,
>(
  source: Source<A>,
  { filter, from, maxPages, queryStartTime }: Options<From, Max>,
): Stream.Stream<Listing.Page<A>, Listing.PagesError<From, Max>> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { apiVersion, decode, id, method, operation, path, scope, service, vendor } = source
      const startedAt = from?.startedAt ?? (yield* DateTime.now)
      // The API defines no start time for other lists.
      const start = ["subscription", "tenant"].includes(scope) ? queryStartTime : undefined
      const { since, text } = startTime.resolve(start, startedAt)
      const list: Checkpoint.List = {
        baseUrl: service.url(""),
        vendor,
        scope,
        id,
        apiVersion,
        filter: Filter.render(filter),
        queryStartTime: since === undefined ? text : DateTime.formatIso(since),
      }
      const field = from && Struct.keys(list).find((field) => from.list[field] !== list[field])
      if (from !== undefined && field !== undefined) {
        const mismatch = new CheckpointMismatch({ operation, field, expected: list[field], actual: from.list[field] })
        // `from` is a checkpoint, so `From` includes that type.
        return yield* Effect.fail(mismatch as Listing.Mismatch<From>)
      }

      const first = service.url(path, parameters(apiVersion, list.filter, text))
      const options: Request.Send<Fetched<A>> = {
        operation,
        span: "HealthClient.page",
        accepts: (status) => status === 200,
        idempotent: true,
        decode: Effect.fnUntraced(function* (json, response) {
          const page = yield* decode(json, response)
          yield* Effect.annotateCurrentSpan("health.items", page.items.length)
          // A link to another origin fails when it is followed, after this page is delivered.
          const next = page.nextLink && Link.toAbsolute(response.url, page.nextLink)
          return { ...select(source, page, since), next }
        }),
      }
      const fetch = (url: string) => service.send(HttpClientRequest.make(url === first ? method : "GET")(url), options)
      const position = from === undefined ? { first } : { from }
      return Paging.pages({ ...position, fetch, maxPages }).pipe(
        Stream.map(({ checkpoint, page: { invalid, items, offsets, older } }): Listing.Page<A> => ({
          items,
          invalid: invalid.map((entry) => ({ ...entry, page: checkpoint.pages, trackingId: nameIn(entry.raw) })),
          offsets,
          older,
          checkpoint: { ...checkpoint, startedAt, list },
        })),
        Stream.mapError((error) => {
          if (error._tag !== "PageLimit") return error
          const position = Redacted.make({ ...error.checkpoint, startedAt, list })
          // There is a limit, so `Max` is a number.
          return new PageLimit({ allowed: error.allowed, position }) as Listing.Limited<Max>
        }),
      )
    }),
  ).pipe(Stream.withSpan(source.operation, { attributes: attributesOf(source), captureStackTrace: false }))
