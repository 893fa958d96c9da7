/** When a failed request is sent again, and after how long: data, and the pure rule that follows from it. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

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

/**
 * Whether a later attempt may succeed: the error's own `retryable`. Every error of the clients has it, those of lists and watches
 * included: `Effect.retry({ while: RetryPolicy.isRetryable, times: 3 })`. Whether a request is safe to repeat depends on its method.
 *
 * @category guards
 * @since 0.1.0
 */
export const isRetryable = (error: { readonly retryable: boolean }): boolean => error.retryable

/** The largest share by which a wait exceeds the `Retry-After` of the service. */
const retryAfterJitter = 0.1

/**
 * How long to wait before the `retry`-th repetition (from 1 on); `None` if there is none. `retryAfter` is how long the service asks to
 * wait, `random` a number from 0 to 1.
 *
 * The wait is at least `retryAfter`, plus up to 10 % of it, so that clients do not return at the same instant. It is never longer than
 * `maxRetryAfter`, or `maxDelay` if the service does not ask for a wait. In whole milliseconds.
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
  const requested = Option.getOrElse(retryAfter, () => Duration.zero)
  if (Duration.greaterThan(requested, policy.maxRetryAfter)) return Option.none()
  const milliseconds = Duration.toMillis(requested)
  const jittered = Duration.millis(Math.floor(milliseconds * (1 + retryAfterJitter * random)))
  const wait = Duration.max(requested, Duration.min(jittered, policy.maxRetryAfter))
  // Beyond the greatest safe integer, durations cannot be compared.
  const ceiling = Math.min(Duration.toMillis(policy.baseDelay) * 2 ** (retry - 1), Number.MAX_SAFE_INTEGER)
  const most = Duration.min(policy.maxDelay, Duration.millis(ceiling))
  // No clock is finer than a millisecond, and a test clock fails on fractions.
  const backOff = Duration.millis(Math.floor(Duration.toMillis(most) * random))
  return Option.some(Duration.max(wait, Duration.min(most, backOff)))
}
