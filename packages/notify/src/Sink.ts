/** A target of notifications, such as a chat channel. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { Notification } from "./Notification.js"

/**
 * Delivers notifications to one target. `deliver` must tolerate a notification that was delivered before: its `id` is the same. An error whose
 * `retryable` is `false` means that the target will never accept the notification.
 * @category models @since 0.1.0
 */
export interface Sink {
  /** The name, for logs and routes. */
  readonly name: string
  /** Delivers a notification. Completes when the target has accepted it. */
  readonly deliver: (notification: Notification) => Effect.Effect<void, RequestError>
  /**
   * How often a delivery sends the last notification of each open event again, for targets that lose events when they restart. Default: never.
   */
  readonly repeatEvery?: Duration.DurationInput | undefined
}
