/** A client that reads lists, and credentials to look for. */
import { Credential, Decoder, Link, RetryPolicy, type ServiceClient } from "@vigil/core-http"
import { type Page, Paging } from "@vigil/paging"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** In every credential of the suite; and nowhere else. */
export const canary = "canary-5b9e04"

/** A credential that is another one each time that it is asked for, and how often it was. */
export const renewing = () => {
  const state = { asked: 0 }
  const credential = Credential.bearer(Effect.sync(() => Redacted.make(`${canary}-${++state.asked}`)))
  return { state, credential }
}

/** Retries that tests need not wait for. */
export const impatient = RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis", maxRetryAfter: "100 millis" })

const Body = Schema.Struct({
  value: Schema.Array(Schema.Unknown),
  nextLink: Schema.optional(Schema.NullOr(Schema.String)),
})

const decode = Decoder.fromSchema(Body)

/** The list at an address: what it holds, page by page, as any client package would read it. */
export const list = (service: ServiceClient.Service, first: string, options: { readonly prefetch?: number } = {}) => {
  const next = (cursor: string) =>
    Effect.map(
      service.getWithUrl({ operation: "List.read", url: cursor, decode }),
      ({ url, value: { nextLink, value } }): Page.Page<unknown, string> => ({
        items: value,
        next: Option.map(
          Option.filter(Option.fromNullable(nextLink), (link) => link.trim() !== ""),
          (link) => Link.absolute(url, link),
        ),
      }),
    )
  return Paging.items({ first, next, maxPages: 50, ...options })
}

/** What an item is called: an event's name, or what it is in place of one. */
const nameOf = (item: unknown): string =>
  Schema.is(Schema.Struct({ name: Schema.String }))(item) ? item.name : JSON.stringify(item)

/** What a stream delivered, and what it failed with, if it did. */
export const drain = <E>(stream: Stream.Stream<unknown, E>) =>
  Effect.suspend(() => {
    const delivered: Array<string> = []
    return Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(nameOf(item)))).pipe(
      Effect.either,
      Effect.map((ended) => ({ delivered, error: Option.getOrUndefined(Either.getLeft(ended)) })),
    )
  })
