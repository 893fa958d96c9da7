/** A request of one's own, to any endpoint of the API that this package has no name for. */
import type * as Request from "@vigil/core-http/Request"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { CustomError } from "./AppManagementError.js"

/**
 * Where a request goes, and what its answer must be.
 *
 * @category models
 * @since 0.1.0
 */
interface Common<A, I> {
  /** The segments of the path under `v0.1`, such as `["apps", "contoso", "shop"]`; each is encoded, and stays one segment; what can't be one is an `InvalidPath`. */
  readonly path: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>> | undefined
  /** What the JSON of the answer must be. An answer without a body is `undefined`: `Schema.Void` takes it. */
  readonly response: Schema.Schema<A, I>
  /** What the request is called in errors and spans. Default: `AppManagement.request`. */
  readonly operation?: string | undefined
  /** Whether sending it twice is like sending it once, so that it may be repeated like a GET. Default: of a GET only. */
  readonly repeatable?: boolean | undefined
}

/**
 * A request without a body.
 *
 * @category models
 * @since 0.1.0
 */
export interface Bodiless<A, I> extends Common<A, I> {
  readonly method: "GET" | "DELETE"
  readonly body?: never
  readonly request?: never
}

/**
 * A request with a body, which it can't be without (document, "Endpoints", rule 1): what `request`, a schema, makes of `body`. One that
 * makes nothing of it sends `{}`, the empty body.
 *
 * @category models
 * @since 0.1.0
 */
export interface WithBody<A, I, B, J extends Request.Json | undefined | void> extends Common<A, I> {
  readonly method: "POST" | "PUT" | "PATCH"
  readonly body: B
  readonly request: Schema.Schema<B, J>
}

/**
 * Sends a request of one's own. One that a declared token can never do, whose body its schema does not take, or whose path would lead
 * elsewhere, is not sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Send {
  <A, I>(endpoint: Bodiless<A, I>): Effect.Effect<A, CustomError>
  <A, I, B, J extends Request.Json | undefined | void>(endpoint: WithBody<A, I, B, J>): Effect.Effect<A, CustomError>
}
