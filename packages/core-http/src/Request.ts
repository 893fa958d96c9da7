/** Requests: their name, URL, body and decoder. */
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Decoder } from "./Decoder.js"

/** A GET request for JSON. @category models @since 0.1.0 */
export interface Get<A> {
  /** The public name of the operation, for errors and spans. */
  readonly operation: string
  /**
   * A URL of the service, for example from `url` or `Link.toAbsolute`. A relative URL is resolved against the base URL as in a browser: `/x` replaces its path. Errors and spans show
   * only the origin of a `Redacted` URL.
   */
  readonly url: string | Redacted.Redacted
  /** Decodes the JSON of the response. Runs in the span of the operation. */
  readonly decode: Decoder<A>
  /** What `decode` gets: the parsed JSON, or the text as it is, which may be empty. Default: `json`. */
  readonly responseType?: "json" | "text" | undefined
  /** Attributes of the span of the operation, such as what is listed. They must not contain secrets. Default: none. */
  readonly attributes?: Readonly<Record<string, string>> | undefined
}

/** JSON values. Fields that are `undefined` are left out. @category models @since 0.1.0 */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json | undefined }

/** JSON text that is sent unchanged and unchecked, for example with numbers that JavaScript would round. @category models @since 0.1.0 */
export class JsonText extends Data.Class<{ readonly text: string }> {}

/** Pass it as `body` to send a POST request without a body. @category constants @since 0.1.0 */
export const noBody: unique symbol = Symbol.for("@vigil/core-http/Request/noBody")

/** A request of any method. POST, PUT and PATCH require a `body`: JSON, or a form (`URLSearchParams`). @category models @since 0.1.0 */
export type Request<A> = Get<A> & {
  /** The success status codes. Default: 200 for GET, 200 to 299 for other methods. */
  readonly success?: ReadonlyArray<number> | undefined
  /** Whether the request may be sent twice, so that it is retried like a GET. Default: `true` for GET only. */
  readonly idempotent?: boolean | undefined
  /**
   * Additional headers, or an effect that runs for each attempt, for example to sign it. They cannot replace the credential, `userAgent`, or
   * headers of the protocol such as `Content-Type`. Default: none.
   */
  readonly headers?: Readonly<Record<string, string>> | Effect.Effect<Readonly<Record<string, string>>> | undefined
  /** Secrets in the request, such as a password in the body. No error or span contains them, as with the credential. Default: none. */
  readonly secrets?: ReadonlyArray<Redacted.Redacted> | undefined
} & (
    | { readonly method: "GET" | "DELETE"; readonly body?: never }
    | { readonly method: "POST" | "PUT" | "PATCH"; readonly body: Json | JsonText | URLSearchParams }
    | { readonly method: "POST"; readonly body: typeof noBody }
  )

/** A decoded response with its URL. @category models @since 0.1.0 */
export interface WithUrl<A> {
  /** The decoded body. */
  readonly value: A
  /** The URL of the request or of the last redirect. `Link.toAbsolute` resolves links against it. */
  readonly url: string
}
