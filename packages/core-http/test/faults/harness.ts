/** A list client, and a credential that the tests search for. */
import { Credential, Decoder, RequestError, Retry, ServiceClient } from "@vigil/core-http"
import { Paging } from "@vigil/paging"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** A unique text, contained in every test credential. */
export const canary = "canary-5b9e04"

/** A credential with a new token for each fetch. */
const rotatingCredential = () => {
  let fetches = 0
  return Credential.bearer(Effect.sync(() => Redacted.make(`${canary}-${++fetches}`)))
}

/** Three retries after a few milliseconds. */
export const fastRetry = { retry: Retry.exponential("1 millis", 3), maxRetryAfter: "100 millis" } as const

const Body = Schema.Struct({
  value: Schema.Array(Schema.Unknown),
  nextLink: Schema.optional(Schema.NullOr(Schema.String)),
})

const decode = Decoder.fromSchema(Body)

const toPage = ({ nextLink, value }: typeof Body.Type, url: string): Paging.Page<unknown, string> => ({
  items: value,
  next: nextLink?.trim() ? (URL.parse(nextLink, url)?.href ?? nextLink) : undefined,
})

/** Streams the items of the list at a URL, as a client package does. */
export const list = (service: ServiceClient.Service, first: string) =>
  Paging.items({
    first,
    fetch: (url) =>
      service.get({
        operation: "List.read",
        url,
        decode: (json, response) => Effect.map(decode(json), (body) => toPage(body, response.url)),
      }),
    maxPages: 50,
  })

const strict = { operation: "List.read", accepts: (status: number) => status === 200 }

/** The same list, as an application reads it with the service's `HttpClient`. */
export const listByHttpClient = (service: ServiceClient.Service, first: string) =>
  Paging.items({
    first,
    fetch: (url) =>
      Effect.flatMap(service.httpClient.withOptions(strict).get(url), (response) =>
        // Not `schemaBodyJson`, which also rejects numbers that overflow.
        Effect.map(Effect.flatMap(response.json, Schema.decodeUnknownEffect(Body)), (body) =>
          toPage(body, response.url),
        ),
      ),
    maxPages: 50,
  })

/** Reads the list of a fault server. */
export const read = (
  options: Pick<ServiceClient.Options, "baseUrl" | "maxBodyBytes" | "timeout">,
  way: typeof list | typeof listByHttpClient = list,
) =>
  Effect.gen(function* () {
    const credential = rotatingCredential()
    const service = yield* ServiceClient.make({ service: "thing", credential, ...fastRetry, ...options })
    return yield* drain(way(service, service.url("/list", { "api-version": "2025-05-01" })))
  }).pipe(Effect.scoped)

/** The name of an event, or the JSON of any other item. */
const nameOf = (item: unknown): string =>
  Schema.is(Schema.Struct({ name: Schema.String }))(item) ? item.name : JSON.stringify(item)

/** The items of a stream, and its error, if any. */
export const drain = <E>(stream: Stream.Stream<unknown, E>) =>
  Effect.suspend(() => {
    const delivered: Array<string> = []
    return Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(nameOf(item)))).pipe(
      Effect.result,
      Effect.map((result) => ({ delivered, error: Option.getOrUndefined(Result.getFailure(result)) })),
    )
  })

/** The tag of the reason of a request error, or of another error. */
export const tagOf = (error: { readonly _tag: string } | undefined): string =>
  error instanceof RequestError.RequestError ? error.reason._tag : (error?._tag ?? "end")
