/** Options of single requests: their names, their secrets, and which responses succeed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type { Decoder } from "./Decoder.js"

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
 * The options of requests by `ServiceClient.Service.httpClient`. Provide it to set options of one call, such as a method of an `HttpApiClient`:
 * `Effect.provideService(call, Request.CurrentOptions, { operation: "App.read" })`. Options that `withOptions` sets override these, one by one.
 * @category references @since 0.2.0
 */
export const CurrentOptions: Context.Reference<Options> = Context.Reference("@vigil/core-http/Request/CurrentOptions", {
  defaultValue: (): Options => ({}),
})

/**
 * Sets options for the requests of an `HttpClient` that is on a `ServiceClient`. They override, one by one, those set outside: by a later
 * `withOptions`, or by `CurrentOptions` of a call.
 * @category combinators @since 0.2.0
 */
export const withOptions: {
  (options: Options): <E, R>(client: HttpClient.HttpClient.With<E, R>) => HttpClient.HttpClient.With<E, R>
  <E, R>(client: HttpClient.HttpClient.With<E, R>, options: Options): HttpClient.HttpClient.With<E, R>
} = /* @__PURE__ */ dual(
  2,
  <E, R>(client: HttpClient.HttpClient.With<E, R>, options: Options): HttpClient.HttpClient.With<E, R> =>
    HttpClient.transform(client, (response) =>
      Effect.updateService(response, CurrentOptions, (outer) => ({ ...outer, ...options })),
    ),
)
