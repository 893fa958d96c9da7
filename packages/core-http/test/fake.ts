/** A fake service for tests. */
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { Credential, type RequestError, ServiceClient } from "@vigil/core-http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { drive } from "@vigil/testing/Drive"

export { drive, interruptedAt, settle } from "@vigil/testing/Drive"
export { printed } from "@vigil/testing/Recorder"

/** A sent request. */
export interface FakeRequest {
  /** The time on the test clock, in milliseconds. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly signal: AbortSignal
}

/** A response, now or later, or a failed connection. */
export type FakeResponse = Response | Effect.Effect<Response, unknown>

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

/** A service that records its requests. `respond` gets the number of the request, from 1. */
export const fake = (respond: (n: number, request: FakeRequest) => FakeResponse) => {
  const requests: Array<FakeRequest> = []
  const load = { open: 0, most: 0 }
  const http = HttpClient.make((request, _, signal) =>
    Effect.gen(function* () {
      const sent: FakeRequest = {
        at: yield* Clock.currentTimeMillis,
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: bodyOf(request),
        signal,
      }
      requests.push(sent)
      load.most = Math.max(load.most, ++load.open)
      const response = respond(requests.length, sent)
      return HttpClientResponse.fromWeb(request, Effect.isEffect(response) ? yield* response : response)
    }).pipe(
      Effect.ensuring(Effect.sync(() => load.open--)),
      Effect.mapError((cause) => {
        const reason = new HttpClientError.TransportError({ request, cause })
        return new HttpClientError.HttpClientError({ reason })
      }),
    ),
  )
  return { requests, load, http }
}

/** When each request was sent. */
export const times = ({ requests }: { readonly requests: ReadonlyArray<FakeRequest> }) => requests.map(({ at }) => at)

/** A connection that fails. */
export const lost: FakeResponse = Effect.fail(new Error("lost"))

/** A success response. */
export const ok = () => new Response(`{"ok":true}`)

/** A response with a status code and `Retry-After`. */
export const status = (code: number, retryAfter?: string) =>
  new Response(null, { status: code, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } })

/** A body that never ends, and whether reading it was cancelled. */
export const endless = () => {
  const state = { isCancelled: false }
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`{"ok":`)),
    cancel: () => {
      state.isCancelled = true
    },
  })
  return { state, response: () => new Response(body) }
}

/** A client of the fake service. Default: no credential. */
export const clientOf = (
  { http }: Pick<ReturnType<typeof fake>, "http">,
  options: Partial<ServiceClient.Options> = {},
) =>
  ServiceClient.make({
    service: "thing",
    baseUrl: "https://service.example",
    credential: Credential.none,
    shownParameters: ["api-version", "$filter", "queryStartTime"],
    secretParameters: ["$skipToken"],
    ...options,
  }).pipe(Effect.provideService(HttpClient.HttpClient, http))

/** A GET of a thing. */
export const get = (service: ServiceClient.Service, path = "/thing", refusalKey?: string) =>
  service.get({ operation: "Thing.get", url: service.url(path), refusalKey, decode: () => Effect.void })

/** Runs a request. Returns its result, the error with its reason, if any, and the time. */
export const outcome = <A, R>(effect: Effect.Effect<A, RequestError.RequestError, R>) =>
  Effect.gen(function* () {
    const { at, exit } = yield* drive(Effect.result(effect))
    const result = yield* exit
    const error = result._tag === "Failure" ? result.failure : undefined
    return { at, result, error, reason: error?.reason }
  })
