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

/** Each release wakes one waiter. `Effect.makeSemaphore` wakes all, so time and memory grow with the square of their number. */
export const semaphore = (permits: number): Semaphore => {
  let free = permits
  const waiting = MutableList.empty<Caller>()

  const acquire = (caller: Caller): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (free < 1)
        return Effect.async<void>((resume) => {
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
      let next = MutableList.shift(waiting)
      while (next !== undefined && next.wake === undefined) next = MutableList.shift(waiting)
      if (next?.wake === undefined) {
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
      const pause: Pause = (wait) => Effect.zipRight(Effect.zipRight(release(caller), wait), acquire(caller))
      return Effect.ensuring(
        Effect.flatMap(acquire(caller), () => use(pause)),
        release(caller),
      )
    })
}

/** A token bucket of `requests`, which refills in the time `per`. */
export const rateLimiter = (
  limit: { readonly requests: number; readonly per: Duration.DurationInput } | undefined,
): Effect.Effect<void> | undefined => {
  if (limit === undefined) return undefined
  const interval = (Duration.toMillis(limit.per) * 1e6) / limit.requests
  const burst = interval * (limit.requests - 1)
  let fullAt = 0
  const take = Effect.map(Clock.currentTimeNanos, (now) => {
    fullAt = Math.max(fullAt, Number(now)) + interval
  })
  // Only the first waiter reads the bucket, so that a cancelled waiter takes nothing.
  const waitAndTake = Effect.flatMap(Clock.currentTimeNanos, (now) => {
    const wait = Math.ceil(fullAt - burst - Number(now))
    return wait > 0 ? Effect.zipRight(Effect.sleep(Duration.nanos(BigInt(wait))), take) : take
  })
  return semaphore(1)(constant(waitAndTake))
}
