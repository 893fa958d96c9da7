/** The rate limit of a fleet, of which each of `n` runners that are alive gets `1/n`. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constTrue, identity } from "effect/Function"
import * as Semaphore from "effect/Semaphore"

/** At most this many requests in `per`. @category models @since 0.2.0 */
export interface RateLimit {
  readonly requests: number
  readonly per: Duration.Input
}

/** Runs an effect when the next request of this runner may be sent. */
export type Pace = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  isRequest?: (value: A) => boolean,
) => Effect.Effect<A, E, R>

/** In milliseconds: the clock of the system may step. */
const monotonic = Effect.map(Clock.monotonicTimeNanos, (now) => Number(now) / 1e6)

/** Spaces the requests evenly. An effect whose result is not a request, or that ends early, takes no time from the next one. */
export const pace = (limit: RateLimit | undefined, runners: () => number): Pace => {
  if (limit === undefined) return identity
  const spacing = Duration.toMillis(limit.per) / limit.requests
  const queue = Semaphore.makeUnsafe(1)
  let next = 0
  return (effect, isRequest = constTrue) =>
    Effect.gen(function* () {
      const wait = next - (yield* monotonic)
      if (wait > 0) yield* Effect.sleep(Math.ceil(wait))
      const value = yield* effect
      if (isRequest(value)) next = Math.max(next, yield* monotonic) + spacing * runners()
      return value
    }).pipe(queue.withPermits(1))
}
