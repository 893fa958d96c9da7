/** How long to wait for the next poll of a subscription. */
import * as Duration from "effect/Duration"

/** The shortest and the longest time between two polls of a subscription. @category models @since 0.1.0 */
export interface Period {
  /** With open events, and after a change. */
  readonly min: Duration.Duration
  /** After many polls without a change. */
  readonly max: Duration.Duration
}

interface Poll {
  /** The wait before this poll. */
  readonly wait: Duration.Duration
  readonly isActive: boolean
  /** A number between 0 and 1. Spreads the polls of subscriptions that were added at the same time. */
  readonly random: number
}

const growth = 1.5

/** Grows while nothing happens. Varies by 10 %. */
export const next = ({ max, min }: Period, { isActive, random, wait }: Poll): Duration.Duration => {
  const base = isActive ? min : Duration.clamp(Duration.times(wait, growth), { minimum: min, maximum: max })
  return Duration.times(base, 0.9 + 0.2 * random)
}
