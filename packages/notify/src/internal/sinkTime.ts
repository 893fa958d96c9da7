/** The time of a sink, which the clock of the system cannot set back. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * `now`: passes as monotonic time does, and is set forward with the clock. `shown`: what the clock shows, for people. Both are in milliseconds since
 * 1970.
 */
export const make = Effect.map(Clock.Clock, (clock) => {
  let start = Number.NEGATIVE_INFINITY
  const shown = () => clock.currentTimeMillisUnsafe()
  const now = () => {
    const passed = Math.floor(Number(clock.monotonicTimeNanosUnsafe()) / 1e6)
    start = Math.max(start, shown() - passed)
    return start + passed
  }
  return { now, shown }
})
