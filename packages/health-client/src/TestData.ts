/** The test data of `HealthClient.layerTest`. */
import type * as Arr from "effect/Array"

/** An error response. @category models @since 0.1.0 */
export interface ErrorResponse {
  readonly status: number
  /** The JSON body, such as `{ error: { code: "AuthorizationFailed", message: "No access." } }`. Default: no body. */
  readonly body?: unknown
  /** Such as `{ "retry-after": "2" }`, which is not waited for. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The entries of a list as the service sends them, or an error response. @category models @since 0.1.0 */
export type Response = ReadonlyArray<unknown> | ErrorResponse

/**
 * The `responses` to successive requests of the list (pages and retries). The last one repeats, and only its error has a `retryAfter`.
 * @category models @since 0.1.0
 */
export interface Sequence {
  readonly responses: Arr.NonEmptyReadonlyArray<Response>
}

/**
 * The data of the in-memory service. Other subscriptions, resources and events fail with `NotFound`. `get` returns events of `subscriptions`,
 * except those of a `Sequence`.
 * @category models @since 0.1.0
 */
export interface TestData {
  /** Responses by subscription ID. Default: none. */
  readonly subscriptions?: Readonly<Record<string, Response | Sequence>> | undefined
  /** Responses by resource ID. Default: none. */
  readonly resources?: Readonly<Record<string, Response | Sequence>> | undefined
  /** Responses of the list of the tenant. Default: none. */
  readonly tenant?: Response | Sequence | undefined
  /** Impacted resources by tracking ID, of any subscription. Default: none. */
  readonly impactedResources?: Readonly<Record<string, Response | Sequence>> | undefined
  /** Event details by tracking ID, as the service sends them. Default: none. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The number of entries per page. Default: 50. */
  readonly pageSize?: number | undefined
}
