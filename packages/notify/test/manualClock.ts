/** A clock that stands still until a test advances it. Unlike `TestClock`, it needs no real time. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Lets all fibers run until they sleep, or wait for each other. */
const settle = Effect.forEach(Array.from({ length: 12 }), () => Effect.yieldNow, { discard: true })

export const make = (start: number) =>
  Effect.sync(() => {
    let now = start
    /** How far the time of day is ahead. */
    let ahead = 0
    const shown = () => now + ahead
    const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
    const clock: Clock.Clock = {
      sleep: (duration) =>
        Effect.callback((resume) => {
          const sleeper = { at: now + Duration.toMillis(duration), wake: () => resume(Effect.void) }
          sleepers.add(sleeper)
          return Effect.sync(() => void sleepers.delete(sleeper))
        }),
      currentTimeMillisUnsafe: shown,
      currentTimeMillis: Effect.sync(shown),
      currentTimeNanosUnsafe: () => BigInt(shown()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(shown()) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
      monotonicTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
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
    /** Sets the time of day. Who sleeps does not notice. */
    const set = (time: number): void => void (ahead = time - now)
    return { clock, advance, set }
  })
