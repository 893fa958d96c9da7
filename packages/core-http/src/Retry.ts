/**
 * When to retry a failed request. A schedule decides how often and when. The client decides the rest: which requests are safe to repeat,
 * `Retry-After`, and how many retries its requests share.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type { RequestError } from "./RequestError.js"

/** The waits before the retries of a request. @category models @since 0.1.0 */
export type Retry = Schedule.Schedule<unknown, RequestError>

/**
 * Retries a number of times. Each wait is a random part of `base` × 2ⁿ ("full jitter"), and at most 10 seconds.
 * @category schedules @since 0.1.0
 */
export const exponential = (base: Duration.Input, retries: number): Retry =>
  Schedule.exponential(base).pipe(
    Schedule.modifyDelay(({ duration }) =>
      // A test clock fails on fractions of a millisecond.
      Effect.map(Random.next, (random) => Math.floor(Math.min(Duration.toMillis(duration), 10_000) * random)),
    ),
    Schedule.upTo({ times: retries }),
  )

/** The default: 3 retries, after waits of up to 200, 400 and 800 ms. @category schedules @since 0.1.0 */
export const standard: Retry = /* @__PURE__ */ exponential("200 millis", 3)

/** No retries. @category schedules @since 0.1.0 */
export const none: Retry = /* @__PURE__ */ Schedule.recurs(0)
