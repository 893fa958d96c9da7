/** A request, as it is asked for: what it is called, where it goes, and what its answer must be. */
import * as Data from "effect/Data"
import type { Decoder } from "./Decoder.js"

/** A GET of JSON. `operation` is its public name, for errors and spans; `url` is an address of the service, as `url` or
 * `Link.absolute` make it (one that is relative is relative to the base address, by the URL standard); `decode` says what the JSON
 * must be.
 * @category models
 * @since 0.1.0 */
export interface Get<A> {
  readonly operation: string
  readonly url: string
  readonly decode: Decoder<A>
}

/** What a body may hold: JSON, in which fields may be `undefined`, that is absent.
 * @category models
 * @since 0.1.0 */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json | undefined }

/** JSON as a `text` that is sent as it is, such as numbers with more digits than JavaScript keeps. The client does not check it.
 * @category models
 * @since 0.1.0 */
export class JsonText extends Data.Class<{ readonly text: string }> {}

/** In place of the body of a POST that has none, which some services take for asking.
 * @category constants
 * @since 0.1.0 */
export const noBody: unique symbol = Symbol.for("@vigil/core-http/Request/noBody")

/** The type of `noBody`.
 * @category models
 * @since 0.1.0 */
export type NoBody = typeof noBody

/** A request of any method. One that carries a body can't be written without it, or without saying that there is none; one that
 * carries none, not with it.
 * `success` are the statuses that say yes (default: 200 for a GET, and any from 200 to 299 for others). `repeatable` says
 * that sending it twice is like sending it once, so that it is retried like a GET (default: for GET only); every request is
 * retried after a 429, which refuses it. `method` decides whether there is a `body`.
 * @category models
 * @since 0.1.0 */
export type Request<A> = Get<A> & {
  readonly success?: ReadonlyArray<number> | undefined
  readonly repeatable?: boolean | undefined
} & (
    | { readonly method: "GET" | "DELETE"; readonly body?: never }
    | { readonly method: "POST" | "PUT" | "PATCH"; readonly body: Json | JsonText }
    | { readonly method: "POST"; readonly body: NoBody }
  )
