/** Limits of a client: concurrent requests, and requests per time. Both serve waiting callers first in, first out. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constant } from "effect/Function"
import * as MutableList from "effect/MutableList"

export type Pause = (wait: Effect.Effect<void>) => Effect.Effect<void>

export type Semaphore = <A, E>(use: (pause: Pause) => Effect.Effect<A, E>) => Effect.Effect<A, E>

/** `wake` is set while the caller waits. */
interface Caller {
  hasPermit: boolean
  wake: ((effect: Effect.Effect<void>) => void) | undefined
}

/** Each release wakes one waiter. `Semaphore` of Effect looks at all: 20,000 calls take four times as much CPU time. */
export const semaphore = (permits: number): Semaphore => {
  let free = permits
  const waiting = MutableList.make<Caller>()

  const acquire = (caller: Caller): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (free < 1)
        return Effect.callback<void>((resume) => {
          caller.wake = resume
          MutableList.append(waiting, caller)
        })
      free--
      caller.hasPermit = true
      return Effect.void
    })

  const release = (caller: Caller): Effect.Effect<void> =>
    Effect.sync(() => {
      caller.wake = undefined
      if (!caller.hasPermit) return
      caller.hasPermit = false
      let next = MutableList.take(waiting)
      while (next !== MutableList.Empty && next.wake === undefined) next = MutableList.take(waiting)
      if (next === MutableList.Empty || next.wake === undefined) {
        free++
        return
      }
      next.hasPermit = true
      next.wake(Effect.void)
      next.wake = undefined
    })

  return (use) =>
    Effect.suspend(() => {
      const caller: Caller = { hasPermit: false, wake: undefined }
      const pause: Pause = (wait) => Effect.andThen(Effect.andThen(release(caller), wait), acquire(caller))
      return Effect.ensuring(
        Effect.flatMap(acquire(caller), () => use(pause)),
        release(caller),
      )
    })
}

export interface RateLimiter {
  /** Waits for its turn. */
  readonly wait: Effect.Effect<void>
  /** Makes the next caller wait longer. */
  readonly charge: Effect.Effect<void>
}

/** A token bucket of `requests`, which refills in the time `per`. */
export const rateLimiter = (
  limit: { readonly requests: number; readonly per: Duration.Input } | undefined,
): RateLimiter => {
  if (limit === undefined) return { wait: Effect.void, charge: Effect.void }
  const interval = (Duration.toMillis(limit.per) * 1e6) / limit.requests
  const burst = interval * (limit.requests - 1)
  let fullAt = 0
  const take = Effect.map(Clock.monotonicTimeNanos, (now) => {
    fullAt = Math.max(fullAt, Number(now)) + interval
  })
  // Only the first waiter reads the bucket, so that a cancelled waiter takes nothing.
  const waitAndTake = Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
    const wait = Math.ceil(fullAt - burst - Number(now))
    return wait > 0 ? Effect.andThen(Effect.sleep(Duration.nanos(BigInt(wait))), take) : take
  })
  return { wait: semaphore(1)(constant(waitAndTake)), charge: take }
}
