/** Options of single requests: their names, their secrets, and which responses succeed. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpMethod } from "effect/http/HttpMethod"
import type * as Redacted from "effect/Redacted"
import type { Decoder } from "./Decoder.js"
import type { RequestError } from "./RequestError.js"

/** How a request differs from the others of its client. @category models @since 0.2.0 */
export interface Options {
  /**
   * The public name of the operation, for errors, metrics and the span of the whole call. Default: errors name the HTTP method, and each attempt is
   * a child of the caller's span.
   */
  readonly operation?: string | undefined
  /** The name of the span of the whole call. Default: `operation`. */
  readonly span?: string | undefined
  /** Attributes of that span, such as what is listed. They must not contain secrets. Default: none. */
  readonly attributes?: Readonly<Record<string, string>> | undefined
  /** Secrets in the request, such as a password in the body. No error or span contains them, as with the credential. Default: none. */
  readonly secrets?: ReadonlyArray<Redacted.Redacted> | undefined
  /** Whether the URL is a secret. Errors and spans then show only its origin. Default: `false`. */
  readonly isUrlSecret?: boolean | undefined
  /** Whether the request may be sent twice, so that it is retried like a GET. Default: `true` for GET, HEAD, OPTIONS and QUERY. */
  readonly idempotent?: boolean | undefined
  /**
   * What a refusal of this request is about, such as one list of one subscription. If the service requests a wait, only requests with the same key
   * wait, and if it is above `maxRetryAfter`, they fail unsent after 3 such responses in a row. After responses to 16 keys in a row, all requests of the
   * client do. Default: a refusal is about all requests.
   */
  readonly refusalKey?: string | undefined
  /** `manual`: a redirect is a response like others, which `accepts` decides. Default: `follow`. */
  readonly redirect?: "follow" | "manual" | undefined
  /**
   * Whether a response with this status code succeeds, instead of the default: 200 to 299 succeed. To accept 404 as well, write
   * `(status) => status < 300 || status === 404`. Decides after retries, redirects and the renewal of the credential.
   */
  readonly accepts?: ((status: number) => boolean) | undefined
}

/** Options of a request with a decoder. @category models @since 0.2.0 */
export interface Send<A> extends Options {
  readonly operation: string
  /** Decodes the JSON of the response. Runs in the span of the call. */
  readonly decode: Decoder<A>
  /** What `decode` gets: the parsed JSON, or the text as it is, which may be empty. Default: `json`. */
  readonly responseType?: "json" | "text" | undefined
}

/** A GET request for JSON. Only the status code 200 succeeds. @category models @since 0.1.0 */
export interface Get<A> extends Omit<Send<A>, "accepts" | "idempotent"> {
  /** A path that begins with `/`, which is appended to the base URL, or a URL of the service, such as a link in a response. */
  readonly url: string
}

/**
 * A service as an `HttpClient`. Functions of Effect such as `HttpClient.mapRequest` return a client without `withOptions`, so set options first.
 * @category models @since 0.3.0
 */
export interface Client extends HttpClient.HttpClient.With<RequestError> {
  /**
   * Sets options for the requests of the returned client. They override those of this client, one by one, also if `undefined`. Secrets add up:
   * `secrets` are added, and a URL that is secret stays secret.
   */
  readonly withOptions: (options: Options) => Client
}

const reasonOf = ({ isRetryable, reason }: RequestError) => {
  if (isRetryable) return HttpClientError.TransportError
  return reason._tag === "Link" ? HttpClientError.InvalidUrlError : HttpClientError.EncodeError
}

/**
 * Makes an `HttpClient` for code that requires Effect's own, such as clients that a generator wrote. Responses with any status code succeed, after
 * the retries. Requests fail with `HttpClientError`, whose `cause` is the `RequestError`. Its reason is `TransportError` if a later request may
 * succeed, `InvalidUrlError` for `Link`, and else `EncodeError`: the other reasons of Effect are transient or have a response. Do not add
 * `HttpClient.retryTransient`, which would retry the retries.
 * @category combinators @since 0.3.0
 */
export const toHttpClient = (client: Client): HttpClient.HttpClient => {
  const { execute } = client.withOptions({ accepts: () => true })
  const send = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.mapError(execute(request), (cause) => {
      // Without the URL, which may contain secrets. The message names the operation and the origin. A request may have any method.
      const shown = {
        request: HttpClientRequest.make(request.method as HttpMethod)(""),
        cause,
        description: cause.message,
      }
      return new HttpClientError.HttpClientError({ reason: new (reasonOf(cause))(shown) })
    })
  return HttpClient.makeWith<HttpClientError.HttpClientError, never, HttpClientError.HttpClientError, never>(
    Effect.flatMap(send),
    Effect.succeed,
  )
}
