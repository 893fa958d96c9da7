/** An in-memory service, for the tests of the users of clients. */
import * as Credential from "@vigil/core-http/Credential"
import * as Retry from "@vigil/core-http/Retry"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Connection from "./Connection.js"

/** An error response. @category models @since 0.2.0 */
export interface ErrorResponse {
  readonly status: number
  /** The JSON body, such as `{ error: { code: "AuthorizationFailed", message: "No access." } }`. Default: no body. */
  readonly body?: unknown
  /** Such as `{ "retry-after": "2" }`, which is not waited for. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The entries of a list as the service sends them, or an error response. @category models @since 0.2.0 */
export type ListResponse = ReadonlyArray<unknown> | ErrorResponse

/**
 * The `responses` to successive requests of the list (pages and retries). The last one repeats, and only its error has a `retryAfter`.
 * @category models @since 0.2.0
 */
export interface Sequence {
  readonly responses: Arr.NonEmptyReadonlyArray<ListResponse>
}

/** Provides a connection to the service of a `layer`, whose retries never wait. @category layers @since 0.4.0 */
export const connection = (service: Layer.Layer<HttpClient.HttpClient>): Layer.Layer<Connection.Connection> =>
  Connection.layer({
    baseUrl: "https://health.test",
    credential: Credential.none,
    retry: Retry.exponential(0, 3),
    // A response that repeats cannot become a success by waiting.
    maxRetryAfter: 0,
  }).pipe(Layer.provide(service), Layer.orDie)

/** Returns the response for what the test data do not contain. @category responses @since 0.2.0 */
export const notFound = (code: string): Response =>
  Response.json({ error: { code, message: "The test data does not contain it." } }, { status: 404 })

const isEntries = (response: ListResponse | Sequence): response is ReadonlyArray<unknown> => Array.isArray(response)

/** A requested wait before the next response, which would make a test wait, is left out. */
const withoutWait = (response: ListResponse): ListResponse => {
  if (isEntries(response)) return response
  const headers = Object.entries(response.headers ?? {}).filter(([name]) => name.toLowerCase() !== "retry-after")
  return { ...response, headers: Object.fromEntries(headers) }
}

const responsesOf = (list: ListResponse | Sequence): (() => ListResponse) => {
  if (!("responses" in list)) return () => list
  const last = list.responses.at(-1) ?? list.responses[0]
  const before = list.responses.slice(0, -1).map(withoutWait)[Symbol.iterator]()
  return () => before.next().value ?? last
}

const page = (entries: ReadonlyArray<unknown>, url: URL, pageSize: number): Response => {
  const offset = Number(url.searchParams.get("$skipToken") ?? 0)
  const next = new URL(url)
  next.searchParams.set("$skipToken", String(offset + pageSize))
  const value = entries.slice(offset, offset + pageSize)
  return Response.json({ value, nextLink: offset + pageSize < entries.length ? next.href : null })
}

/** Responds to a request by its URL. @category models @since 0.2.0 */
export type Respond = (url: URL) => Response

/** Responds to each request of a list, in pages. @category responses @since 0.2.0 */
export const list = (list: ListResponse | Sequence, pageSize = 50): Respond => {
  const next = responsesOf(list)
  return (url) => {
    const response = next()
    if (isEntries(response)) return page(response, url, pageSize)
    const { body, headers = {}, status } = response
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
  }
}

/** Provides an `HttpClient` of the service. `start` runs whenever the layer is built. @category layers @since 0.2.0 */
export const layer = (start: () => Respond): Layer.Layer<HttpClient.HttpClient> =>
  Layer.sync(HttpClient.HttpClient, () => {
    const respond = start()
    return HttpClient.make((request, url) => Effect.sync(() => HttpClientResponse.fromWeb(request, respond(url))))
  })
