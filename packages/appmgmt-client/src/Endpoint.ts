/** Requests to any endpoint of the API that this package has no method for. */
import type * as Request from "@vigil/core-http/Request"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as ApiToken from "./ApiToken.js"
import type { CustomError } from "./AppManagementError.js"

interface Common<A, I> {
  /** The path segments under `v0.1`, such as `["apps", "contoso", "shop"]`. They are encoded. Invalid ones fail with `InvalidPath`. */
  readonly path: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>> | undefined
  /** The schema of the JSON response; `Schema.Void` for an empty body. For a GET with an empty body, add 204 or 205 to `success`. */
  readonly response: Schema.Schema<A, I>
  /** The name of the request in errors and spans. Default: `AppManagement.request`. */
  readonly operation?: string | undefined
  /** The successful status codes. Default: 200 for a GET, 200 to 299 for other methods. */
  readonly success?: ReadonlyArray<number> | undefined
  /** Whether sending the request twice is safe, so that it is retried like a GET. Default: `true` only for a GET. */
  readonly idempotent?: boolean | undefined
  /**
   * The required right. Default: by method and path (`apps/{owner}/{app}`: the app; `apps`, `user`, `orgs`: the account; others: none).
   */
  readonly scope?: ApiToken.Scope | undefined
}

/** A request without a body. @category models @since 0.1.0 */
export interface WithoutBody<A, I> extends Common<A, I> {
  readonly method: "GET" | "DELETE"
  readonly body?: never
  readonly request?: never
}

/**
 * A request with a body, encoded by the schema `request` (document, "Endpoints", rule 1). `undefined` is sent as `{}`.
 * @category models @since 0.1.0
 */
export interface WithBody<A, I, B, J extends Request.Json | Request.JsonText | undefined | void> extends Common<A, I> {
  readonly method: "POST" | "PUT" | "PATCH"
  readonly body: B
  readonly request: Schema.Schema<B, J>
}

/** Sends a request. Sends nothing if the token lacks the right, or the path or body is invalid. @category models @since 0.1.0 */
export interface Send {
  <A, I>(endpoint: WithoutBody<A, I>): Effect.Effect<A, CustomError>
  <A, I, B, J extends Request.Json | Request.JsonText | undefined | void>(
    endpoint: WithBody<A, I, B, J>,
  ): Effect.Effect<A, CustomError>
}
