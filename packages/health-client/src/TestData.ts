/** What the in-memory service of `HealthClient.layerTest` returns. */
import type * as Arr from "effect/Array"

/**
 * An error response.
 * @category models
 * @since 0.1.0
 */
export interface Failure {
  /** The status code. */
  readonly status: number
  /** Sent as JSON, such as `{ error: { code: "AuthorizationFailed", message: "No access." } }`. Default: no body. */
  readonly body?: unknown
  /** Such as `{ "retry-after": "2" }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * The events of a list as the service sends them (invalid ones are sent as they are), or an error response.
 * @category models
 * @since 0.1.0
 */
export type Response = ReadonlyArray<unknown> | Failure

/**
 * One of the `responses` for each request of the list, in order: for each page, and for each retry. The last one repeats.
 * @category models
 * @since 0.1.0
 */
export interface Sequence {
  readonly responses: Arr.NonEmptyReadonlyArray<Response>
}

/**
 * The data of the service. Any other subscription, resource or event fails with `NotFound`.
 * @category models
 * @since 0.1.0
 */
export interface TestData {
  /** Responses by subscription ID. Default: none. */
  readonly subscriptions?: Readonly<Record<string, Response | Sequence>> | undefined
  /** Responses by resource ID. Default: none. */
  readonly resources?: Readonly<Record<string, Response | Sequence>> | undefined
  /** Event details by tracking ID, as the service sends them. Default: none. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** How many events a page holds. Default: 50. */
  readonly pageSize?: number | undefined
}
