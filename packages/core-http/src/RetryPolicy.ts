/** When a failed request is sent again, and after how long: data, and the pure rule that follows from it. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { RequestError } from "./RequestError.js"

/**
 * How often and how patiently requests are repeated.
 *
 * - `retries`: how often one request is sent again, at most.
 * - `baseDelay`, `maxDelay`: the n-th wait is a random part of `baseDelay` × 2ⁿ⁻¹, and of `maxDelay` at most, in whole milliseconds ("full jitter").
 * - `maxRetryAfter`: a service that asks for more than this (`Retry-After`) gets no second request; its error, which
 *   carries the delay, comes at once.
 * - `budget`: how many retries all requests of a client share. Each takes one; every answer but 429 and those
 *   from 500 on gives a tenth of one back. In an outage the budget is soon used up, and the client adds nothing to the load.
 *
 * @category models
 * @since 0.1.0
 */
export interface RetryPolicy {
  readonly retries: number
  readonly baseDelay: Duration.Duration
  readonly maxDelay: Duration.Duration
  readonly maxRetryAfter: Duration.Duration
  readonly budget: number
}

/**
 * The policy of a client that names none: 3 retries, from 200 milliseconds to 10 seconds apart, `Retry-After` of up to a
 * minute, 20 retries in the budget.
 *
 * @category policies
 * @since 0.1.0
 */
export const standard: RetryPolicy = {
  retries: 3,
  baseDelay: Duration.millis(200),
  maxDelay: Duration.seconds(10),
  maxRetryAfter: Duration.minutes(1),
  budget: 20,
}

/**
 * Nothing is repeated.
 *
 * @category policies
 * @since 0.1.0
 */
export const none: RetryPolicy = { ...standard, retries: 0 }

/**
 * What can be said of a policy; what is not said is as in `standard`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** How often one request is sent again, at most. Default: 3. */
  readonly retries?: number | undefined
  /** What the waits grow from. Default: 200 milliseconds. */
  readonly baseDelay?: Duration.DurationInput | undefined
  /** The longest wait. Default: 10 seconds. */
  readonly maxDelay?: Duration.DurationInput | undefined
  /** The longest `Retry-After` that is waited for. Default: a minute. */
  readonly maxRetryAfter?: Duration.DurationInput | undefined
  /** How many retries all requests of a client share. Default: 20. */
  readonly budget?: number | undefined
}

/**
 * A policy of one's own.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({
  baseDelay = standard.baseDelay,
  budget = standard.budget,
  maxDelay = standard.maxDelay,
  maxRetryAfter = standard.maxRetryAfter,
  retries = standard.retries,
}: Options): RetryPolicy => ({
  retries,
  baseDelay: Duration.decode(baseDelay),
  maxDelay: Duration.decode(maxDelay),
  maxRetryAfter: Duration.decode(maxRetryAfter),
  budget,
})

/** Statuses that pass: the service was too busy, or something in front of it did not reach it. */
const passing = new Set([408, 429, 500, 502, 503, 504])

/**
 * Whether the same request may succeed a little later. Says nothing about whether it may be sent twice: that is a matter
 * of its method.
 *
 * @category guards
 * @since 0.1.0
 */
export const isRetryable = (error: RequestError): boolean => {
  switch (error._tag) {
    case "TransportError":
      return true
    case "TimeoutError":
      return error.scope === "attempt"
    case "Unauthorized":
    case "Forbidden":
    case "NotFound":
    case "LengthRequired":
    case "RateLimited":
    case "ServiceError":
      return passing.has(error.status)
    case "BodyTooLarge":
    case "CredentialError":
    case "DecodeError":
    case "LinkRefused":
    case "RedirectRefused":
      return false
  }
}

/**
 * How long to wait before the `retry`-th repetition (from 1 on); `None` when there is to be none. `retryAfter` is what
 * the service asks for, `random` a number from 0 to 1. The wait is never longer than `maxDelay` or `maxRetryAfter`, and
 * never shorter than what the service asks for.
 *
 * @category getters
 * @since 0.1.0
 */
export const delay = (
  policy: RetryPolicy,
  {
    random,
    retry,
    retryAfter,
  }: { readonly retry: number; readonly retryAfter: Option.Option<Duration.Duration>; readonly random: number },
): Option.Option<Duration.Duration> => {
  if (!(retry <= policy.retries)) return Option.none()
  const asked = Option.getOrElse(retryAfter, () => Duration.zero)
  if (Duration.greaterThan(asked, policy.maxRetryAfter)) return Option.none()
  // Beyond the greatest safe integer, durations can't be compared; nor is anything as patient.
  const ceiling = Math.min(Duration.toMillis(policy.baseDelay) * 2 ** (retry - 1), Number.MAX_SAFE_INTEGER)
  const most = Duration.min(policy.maxDelay, Duration.millis(ceiling))
  // No clock is finer, and a test's clock stumbles over parts of a millisecond.
  const backOff = Duration.millis(Math.floor(Duration.toMillis(most) * random))
  return Option.some(Duration.max(asked, Duration.min(most, backOff)))
}
