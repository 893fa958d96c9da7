/** A service that is not there: an `HttpClient` that answers from a function, for tests. */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A request that would have left. `headers` are by lower-case name, the credential among them; `body` is its text.
 * @category models
 * @since 0.1.0 */
export interface Asked {
  /** In capitals. */
  readonly method: string
  /** The whole address, its query included. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** What comes back: a status (default: 200), headers, and JSON where there is a body.
 * @category models
 * @since 0.1.0 */
export interface Answer {
  /** Default: 200. */
  readonly status?: number | undefined
  /** By name, beside the type of a body. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body. Default: none. */
  readonly json?: unknown
}

/** Only what is sent as a text or as bytes can be shown; that is all that the clients of this family send. */
const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

const toResponse = ({ headers = {}, json, status = 200 }: Answer): Response =>
  new Response(json === undefined ? null : JSON.stringify(json), {
    status,
    headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers },
  })

/** An `HttpClient` of which every request is answered so. Whatever the answers, clients on top of it behave as over a socket:
 * they page, decode, retry and refuse.
 * @category layers
 * @since 0.1.0 */
export const layer = (answer: (asked: Asked) => Answer | Effect.Effect<Answer>): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.map(
        Effect.suspend(() => {
          const given = answer({ method: request.method, url, headers: request.headers, body: bodyOf(request) })
          return Effect.isEffect(given) ? given : Effect.succeed(given)
        }),
        (given) => HttpClientResponse.fromWeb(request, toResponse(given)),
      ),
    ),
  )
