/** A clock that stands still until a test advances it. Unlike `TestClock`, it needs no real time. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Lets all fibers run until they sleep, or wait for each other. */
const settle = Effect.repeatN(Effect.yieldNow(), 12)

export const make = (start: number) =>
  Effect.map(Effect.clock, (real) => {
    let now = start
    const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
    const clock: Clock.Clock = {
      ...real,
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      sleep: (duration) =>
        Effect.async((resume) => {
          const sleeper = { at: now + Duration.toMillis(duration), wake: () => resume(Effect.void) }
          sleepers.add(sleeper)
          return Effect.sync(() => void sleepers.delete(sleeper))
        }),
      unsafeCurrentTimeMillis: () => now,
      unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
      currentTimeMillis: Effect.sync(() => now),
      currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    }
    /** Advances the time, and wakes sleepers in order. */
    const advance = (milliseconds: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        const end = now + milliseconds
        yield* settle
        while (true) {
          const due = Array.from(sleepers).toSorted((one, other) => one.at - other.at)[0]
          if (due === undefined || due.at > end) break
          now = Math.max(now, due.at)
          sleepers.delete(due)
          due.wake()
          yield* settle
        }
        now = end
      })
    return { clock, advance }
  })
