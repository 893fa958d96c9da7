/** A target of notifications, such as a chat channel. */
import type { RequestError } from "@vigil/core-http/RequestError"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { Notification } from "./Notification.js"

/**
 * Delivers notifications to one target. `deliver` must tolerate a notification that was delivered before: its `id` is the same. An error whose
 * `isRetryable` is `false` means that the target will never accept the notification.
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
  readonly repeatEvery?: Duration.Input | undefined
  /**
   * Whether the target keeps the state of each event by its `key`, and so must get each opening instead of a summary. A sink with `repeatEvery`
   * gets each opening, too. Default: `false`.
   */
  readonly keepsEvents?: boolean | undefined
}

/**
 * The result of an attempt. `Retry`: the sink may accept the notification after a time. `Rejected`: it never will, because the target
 * refused the notification, or the sink failed with a defect.
 * @category models @since 0.1.0
 */
export type Outcome =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retry"; readonly message: string; readonly after: Duration.Duration }
  | { readonly _tag: "Rejected"; readonly message: string; readonly reason: "refused" | "failed" }

const timeout = Duration.minutes(10)

const maxBackoff = Duration.minutes(5)
const maxRetryAfter = Duration.hours(1)

/** Exponential backoff from 1 second to 5 minutes, minus up to 50 % jitter. A longer `Retry-After` wins, up to 1 hour. */
const delay = (failures: number, error: RequestError | undefined) =>
  Effect.map(Random.next, (random) => {
    const backoff = Duration.times(Duration.min(Duration.seconds(2 ** failures), maxBackoff), 1 - random / 2)
    return Duration.max(backoff, Duration.min(error?.retryAfter ?? Duration.zero, maxRetryAfter))
  })

/** Messages of defects may contain secrets. */
const defectName = (cause: Cause.Cause<unknown>): string => {
  const defect = Cause.squash(cause)
  return defect instanceof Error ? defect.name : typeof defect
}

/**
 * Delivers a notification once, and says what to do next. `failures` is the number of failed attempts before, and determines the time of a retry.
 * A sink that takes longer than 10 minutes is interrupted.
 * @category delivery @since 0.1.0
 */
export const attempt = (
  { deliver, name }: Sink,
  notification: Notification,
  { failures }: { readonly failures: number },
): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const retry = (message: string, error?: RequestError) =>
      Effect.map(delay(failures, error), (after): Outcome => ({ _tag: "Retry", message, after }))
    const delivering = Effect.suspend(() => deliver(notification))
    const exit = yield* Effect.exit(Effect.timeoutOption(delivering, timeout))
    if (Exit.isSuccess(exit))
      return Option.isSome(exit.value)
        ? { _tag: "Delivered" }
        : yield* retry(`The sink ${name} did not finish within ${Duration.format(timeout)}.`)
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* retry(`The sink ${name} was interrupted.`)
    const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
    if (error?.isRetryable === true) return yield* retry(error.message, error)
    return error === undefined
      ? { _tag: "Rejected", reason: "failed", message: `The sink ${name} has a defect: ${defectName(exit.cause)}.` }
      : { _tag: "Rejected", reason: "refused", message: error.message }
  })

/** JSON of a message. Fields that are `undefined` are left out. @category models @since 0.2.0 */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json | undefined }
