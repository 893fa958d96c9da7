/** When a subscription is polled again. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { Claim } from "./claims.js"
import type { PollResult } from "./poll.js"

/** The least and the most time between two polls. */
export interface Period {
  readonly min: Duration.Duration
  readonly max: Duration.Duration
}

/** The service may ask for a longer wait. */
const maxRetryAfter = Duration.hours(1)

/**
 * How long to wait for the next poll. Grows while nothing happens: open events may also end while polls fail. Varies by 10 %: subscriptions may have been
 * added at the same time, or refused.
 */
export const nextWait = (
  { max, min }: Period,
  { has_open_events, wait_ms }: Pick<Claim, "has_open_events" | "wait_ms">,
  { changes, retryAfter = Duration.zero }: Pick<PollResult, "changes" | "retryAfter">,
) =>
  Effect.map(Random.next, (random) => {
    const isActive = changes.length > 0 || has_open_events
    const longer = Duration.clamp(Duration.millis(wait_ms * 1.5), { minimum: min, maximum: max })
    const wait = Duration.times(isActive ? min : longer, 0.9 + 0.2 * random)
    return Duration.max(wait, Duration.times(Duration.min(retryAfter, maxRetryAfter), 1 + 0.1 * random))
  })
