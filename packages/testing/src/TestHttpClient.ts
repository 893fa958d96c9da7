/** An in-memory `HttpClient` for tests. */
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A request that a client sends. */
export interface TestRequest {
  /** In upper case, such as `GET`. */
  readonly method: string
  /** The absolute URL with its query. */
  readonly url: URL
  /** Headers by lower-case name, including the credential. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The text of the body; empty if there is no body. */
  readonly body: string
}

/** The response to a request. */
export interface TestResponse {
  /** The status code. Default: 200. */
  readonly status?: number | undefined
  /** The headers, in addition to `content-type` if there is a body. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body. Default: none. */
  readonly json?: unknown
}

const bodyText = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

const toResponse = ({ headers = {}, json, status = 200 }: TestResponse): Response =>
  new Response(json === undefined ? null : JSON.stringify(json), {
    status,
    headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers },
  })

/**
 * An `HttpClient` that calls `respond` for every request. Clients on top of it paginate, decode and retry as usual.
 *
 */
export const layer = (
  respond: (request: TestRequest) => TestResponse | Effect.Effect<TestResponse>,
): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.map(
        Effect.suspend(() => {
          const response = respond({ method: request.method, url, headers: request.headers, body: bodyText(request) })
          return Effect.isEffect(response) ? response : Effect.succeed(response)
        }),
        (response) => HttpClientResponse.fromWeb(request, toResponse(response)),
      ),
    ),
  )
