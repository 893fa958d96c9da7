/** Which failed requests are sent again, and after how long. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** How often and after how long a failed request is sent again.
 * @category models
 * @since 0.1.0 */
export interface RetryPolicy {
  /** How often one request is sent again, at most. */
  readonly retries: number
  /** The n-th wait is a random part of `baseDelay` × 2ⁿ⁻¹, in whole milliseconds ("full jitter"). */
  readonly baseDelay: Duration.Duration
  /** The longest wait, unless the service asks for a longer one. */
  readonly maxDelay: Duration.Duration
  /** If the service asks for a longer wait (`Retry-After`), the request fails at once. Its error has the requested wait. */
  readonly maxRetryAfter: Duration.Duration
  /** How many retries all requests of a client share. Each retry takes one, and each response but 429 and those from 500 on gives back a
   * tenth of one. So a client adds little load to an outage. */
  readonly budget: number
}

/** The default policy: 3 retries, waits from 200 milliseconds to 10 seconds, a `Retry-After` of up to a minute, a budget of 20 retries.
 * @category policies
 * @since 0.1.0 */
export const standard: RetryPolicy = {
  retries: 3,
  baseDelay: Duration.millis(200),
  maxDelay: Duration.seconds(10),
  maxRetryAfter: Duration.minutes(1),
  budget: 20,
}

/** A policy without retries.
 * @category policies
 * @since 0.1.0 */
export const none: RetryPolicy = { ...standard, retries: 0 }

/** The fields of a policy. Default of each: as in `standard`.
 * @category models
 * @since 0.1.0 */
export type Options = {
  readonly [Field in keyof RetryPolicy]?:
    | (RetryPolicy[Field] extends number ? number : Duration.DurationInput)
    | undefined
}

/** Makes a policy.
 * @category constructors
 * @since 0.1.0 */
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

/** Whether a later attempt may succeed: the error's own `retryable`. Every error of the clients has it, those of lists and watches
 * included: `Effect.retry({ while: RetryPolicy.isRetryable, times: 3 })`. Whether a request is safe to repeat depends on its method.
 * @category guards
 * @since 0.1.0 */
export const isRetryable = (error: { readonly retryable: boolean }): boolean => error.retryable

/** The largest share by which a wait exceeds the `Retry-After` of the service. */
const retryAfterJitter = 0.1

/** How long to wait before the `retry`-th repetition (from 1 on); `None` if there is none. `retryAfter` is how long the service asks to
 * wait, `random` a number from 0 to 1.
 *
 * The wait is at least `retryAfter`, plus up to 10 % of it, so that clients do not return at the same instant. It is never longer than
 * `maxRetryAfter`, or `maxDelay` if the service does not ask for a wait. In whole milliseconds.
 * @category getters
 * @since 0.1.0 */
export const delay = (
  policy: RetryPolicy,
  {
    random,
    retry,
    retryAfter,
  }: { readonly retry: number; readonly retryAfter: Option.Option<Duration.Duration>; readonly random: number },
): Option.Option<Duration.Duration> => {
  const requested = Option.getOrElse(retryAfter, () => Duration.zero)
  if (!(retry <= policy.retries) || Duration.greaterThan(requested, policy.maxRetryAfter)) return Option.none()
  // No clock is finer than a millisecond, and a test clock fails on fractions.
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
