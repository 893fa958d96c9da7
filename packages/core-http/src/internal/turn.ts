/** The rate limit of a client: who may send a request now, and who waits, in the order of asking. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as semaphore from "./semaphore.js"

/** An effect that ends when another request may leave: a full token bucket of `requests`, that time fills again. */
export const make = (
  limit: { readonly requests: number; readonly per: Duration.DurationInput } | undefined,
): Effect.Effect<void> => {
  if (limit === undefined) return Effect.void
  const interval = (Duration.toMillis(limit.per) * 1e6) / limit.requests
  const burst = interval * (limit.requests - 1)
  /** When the bucket is full again, on the clock that nobody sets, in nanoseconds. */
  let full = 0
  const pass = Effect.map(Clock.currentTimeNanos, (now) => {
    full = Math.max(full, Number(now)) + interval
  })
  // Only the first in the line looks at the bucket: who gives up behind it has taken nothing.
  const first = Effect.flatMap(Clock.currentTimeNanos, (now) => {
    const wait = Math.ceil(full - burst - Number(now))
    return wait > 0 ? Effect.zipRight(Effect.sleep(Duration.nanos(BigInt(wait))), pass) : pass
  })
  return semaphore.make(1)(first)
}
