/** A request of one's own, to any endpoint of the API that this package has no name for. */
import type * as Request from "@vigil/core-http/Request"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as ApiToken from "./ApiToken.js"
import type { CustomError } from "./AppManagementError.js"

/** Where a request goes, what it is about, and what its answer must be. */
interface Common<A, I> {
  /** The segments of the path under `v0.1`, such as `["apps", "contoso", "shop"]`; each is encoded, and stays one segment; what can't be one is an `InvalidPath`. */
  readonly path: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>> | undefined
  /**
   * What the JSON of the answer must be. An answer without a body is `undefined`: `Schema.Void` takes it. Of a GET, that
   * is a 204 or a 205 which `success` names; a 200 without a body is a `DecodeError`.
   */
  readonly response: Schema.Schema<A, I>
  /** What the request is called in errors and spans. Default: `AppManagement.request`. */
  readonly operation?: string | undefined
  /** The statuses that say yes; any other is an error. Default: 200 for a GET, and any from 200 to 299 for others. */
  readonly success?: ReadonlyArray<number> | undefined
  /**
   * Whether sending the request twice has the same effect as sending it once. If so, it is retried as a GET is: after a lost response, a
   * timeout, a 408, 500, 502, 503 or 504. After a 429, every request is retried. Default: `true` for a GET, else `false`.
   *
   * A repeated DELETE can fail with a `NotFound` with `repeated: true`: an earlier attempt may have been carried out.
   */
  readonly repeatable?: boolean | undefined
  /**
   * What it is about, for the check of the token's rights. Default, a guess: a GET reads, and any other method changes something; what is at
   * or below `apps/{owner}/{app}` is that app, and anything else at `apps`, `user` or `orgs` is the account. A request of which nothing can be
   * guessed, as it is elsewhere or its app has no name that is an `AppName`, is sent, whatever the token.
   */
  readonly scope?: ApiToken.Scope | undefined
}

/**
 * A request without a body. `body` and `request` are what it does not have.
 * @category models
 * @since 0.1.0
 */
export interface Bodiless<A, I> extends Common<A, I> {
  /** By default (`scope`), a GET counts as reading, and a DELETE as a change. */
  readonly method: "GET" | "DELETE"
  readonly body?: never
  readonly request?: never
}

/**
 * A request with a body, which it can't be without (document, "Endpoints", rule 1): what `request`, a schema, makes of `body`. One that
 * makes nothing of it sends `{}`, the empty body. A `Request.JsonText` is sent as it is.
 * @category models
 * @since 0.1.0
 */
export interface WithBody<A, I, B, J extends Request.Json | Request.JsonText | undefined | void> extends Common<A, I> {
  /** By default (`scope`), each of these counts as a change. */
  readonly method: "POST" | "PUT" | "PATCH"
  readonly body: B
  readonly request: Schema.Schema<B, J>
}

/**
 * Sends a request of one's own. One that the token has no right to, by its description and `scope`, whose body its schema does not take, or whose path
 * would lead elsewhere, is not sent.
 * @category models
 * @since 0.1.0
 */
export interface Send {
  <A, I>(endpoint: Bodiless<A, I>): Effect.Effect<A, CustomError>
  <A, I, B, J extends Request.Json | Request.JsonText | undefined | void>(
    endpoint: WithBody<A, I, B, J>,
  ): Effect.Effect<A, CustomError>
}
