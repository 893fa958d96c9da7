/** How often to retry failed requests, and how long to wait before each retry. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** The number of retries, and the waits before them. @category models @since 0.1.0 */
export interface RetryPolicy {
  /** The maximum number of retries per request. */
  readonly retries: number
  /** The wait before the n-th retry is a random part of `baseDelay` × 2ⁿ⁻¹ ("full jitter"), in whole milliseconds. */
  readonly baseDelay: Duration.Duration
  /** The longest wait, unless the service requests a longer one. */
  readonly maxDelay: Duration.Duration
  /** The longest wait that the service may request (`Retry-After`). If it requests more, the request fails at once. */
  readonly maxRetryAfter: Duration.Duration
  /** The number of retries that all requests of a client share. Each response except 429 and 5xx restores a tenth of one. */
  readonly budget: number
}

/**
 * The default policy: 3 retries, waits from 200 ms to 10 seconds, a `Retry-After` of up to a minute, a budget of 20 retries.
 * @category policies @since 0.1.0
 */
export const standard: RetryPolicy = {
  retries: 3,
  baseDelay: Duration.millis(200),
  maxDelay: Duration.seconds(10),
  maxRetryAfter: Duration.minutes(1),
  budget: 20,
}

/** A policy without retries. @category policies @since 0.1.0 */
export const none: RetryPolicy = { ...standard, retries: 0 }

/** Options for a policy. Each defaults to its value in `standard`. @category models @since 0.1.0 */
export type Options = {
  readonly [Field in keyof RetryPolicy]?: (RetryPolicy[Field] extends number ? number : Duration.Input) | undefined
}

/** Makes a policy. @category constructors @since 0.1.0 */
export const make = (options: Options): RetryPolicy => ({
  retries: options.retries ?? standard.retries,
  baseDelay: Duration.fromInputUnsafe(options.baseDelay ?? standard.baseDelay),
  maxDelay: Duration.fromInputUnsafe(options.maxDelay ?? standard.maxDelay),
  maxRetryAfter: Duration.fromInputUnsafe(options.maxRetryAfter ?? standard.maxRetryAfter),
  budget: options.budget ?? standard.budget,
})

const retryAfterJitter = 0.1

/**
 * The wait before the `retry`-th retry, or `None` after the last one. It is at least `retryAfter`. `random` is between 0 and 1.
 * @category getters @since 0.1.0
 */
export const delay = (
  policy: RetryPolicy,
  {
    random,
    retry,
    retryAfter,
  }: { readonly retry: number; readonly retryAfter: Option.Option<Duration.Duration>; readonly random: number },
): Option.Option<Duration.Duration> => {
  const requested = Option.getOrElse(retryAfter, () => Duration.zero)
  if (!(retry <= policy.retries) || Duration.isGreaterThan(requested, policy.maxRetryAfter)) return Option.none()
  // A test clock fails on fractions of a millisecond.
  const part = (milliseconds: number, share: number, longest: Duration.Duration) =>
    Duration.min(Duration.millis(Math.floor(milliseconds * share)), longest)
  // Beyond the greatest safe integer, durations cannot be compared.
  const ceiling = Math.min(
    Duration.toMillis(policy.baseDelay) * 2 ** (retry - 1),
    Duration.toMillis(policy.maxDelay),
    Number.MAX_SAFE_INTEGER,
  )
  const wait = part(Duration.toMillis(requested), 1 + retryAfterJitter * random, policy.maxRetryAfter)
  return Option.some(Duration.max(requested, Duration.max(wait, part(ceiling, random, policy.maxDelay))))
}
