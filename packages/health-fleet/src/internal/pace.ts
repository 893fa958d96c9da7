/** The rate limit of a fleet, of which each of `n` runners that are alive gets `1/n`. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** At most this many requests in `per`. @category models @since 0.2.0 */
export interface RateLimit {
  readonly requests: number
  readonly per: Duration.Input
}

/** Returns an effect that waits for the next turn of this runner. Turns are spaced evenly. */
export const pace = (limit: RateLimit | undefined, runners: () => number): Effect.Effect<void> => {
  if (limit === undefined) return Effect.void
  const spacing = Duration.toMillis(limit.per) / limit.requests
  let next = 0
  // Only the first in the queue waits for its time, so that a cancelled one takes no turn.
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.andThen(
      next > now ? Effect.sleep(Math.ceil(next - now)) : Effect.void,
      Effect.sync(() => (next = Math.max(now, next) + spacing * runners())),
    ),
  ).pipe(Semaphore.makeUnsafe(1).withPermits(1))
}
