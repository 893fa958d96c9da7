/** The error of every request: where it happened, and why. */
import type * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Reason from "./Reason.js"
import * as StatusReason from "./StatusReason.js"

/** The reasons of failed requests. @category schemas @since 0.2.0 */
export const RequestReason = Schema.Union([
  ...StatusReason.StatusReason.members,
  Reason.Transport,
  Reason.Timeout,
  Reason.BodyTooLarge,
  Reason.Decode,
  Reason.Redirect,
  Reason.Link,
  Reason.Credential,
])

/** Why a request failed. @category models @since 0.1.0 */
export type RequestReason = typeof RequestReason.Type

/**
 * A request failed. Handle one reason with `Effect.catchReason("RequestError", "NotFound", …)`, several with `Effect.catchReasons`.
 * @category errors @since 0.1.0
 */
export class RequestError extends Schema.TaggedError<RequestError>()("RequestError", {
  /** The name of the service, as given to `ServiceClient.make`, such as `health`. */
  service: Schema.String,
  /** The name of the operation, such as `HealthClient.listBySubscription`. */
  operation: Schema.String,
  reason: RequestReason,
  /** Whether the service may have applied the request: an attempt lost its connection, timed out, or got a 5xx or an unexpected success. `false` if nothing was sent. */
  maybeApplied: Schema.Boolean,
}) {
  /** Whether a later request may succeed: for the status codes 408, 429, 500, 502, 503 and 504, timeouts, and failed connections. */
  get isRetryable(): boolean {
    return this.reason.isRetryable
  }
  /** The wait that the service requested (`Retry-After`). */
  get retryAfter(): Duration.Duration | undefined {
    return "retryAfter" in this.reason ? this.reason.retryAfter : undefined
  }
  override get message(): string {
    return `${this.operation}: the ${this.service} service ${this.reason.message}`
  }
}
