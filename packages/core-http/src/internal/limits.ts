/** The limits of a client: requests at once, and requests per time. Waiting callers are served first in, first out. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constant } from "effect/Function"
import * as MutableList from "effect/MutableList"

/** Waits for a permit to be free again while the caller does not need its own, such as between two attempts. */
export type Pause = (wait: Effect.Effect<void>) => Effect.Effect<void>

/** Runs an effect once a permit is free. An interrupted caller leaves the queue. */
export type Semaphore = <A, E>(use: (pause: Pause) => Effect.Effect<A, E>) => Effect.Effect<A, E>

/** The place of one caller: `wake` is set while it waits. */
interface Place {
  hasPermit: boolean
  wake: ((effect: Effect.Effect<void>) => void) | undefined
}

/** A semaphore whose releases wake one waiter each. `Effect.makeSemaphore` wakes all of them, so that the time and the memory that
 * waiting takes grow with the square of the number of waiters. */
export const semaphore = (permits: number): Semaphore => {
  let free = permits
  const waiting = MutableList.empty<Place>()

  const acquire = (place: Place): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (free < 1)
        return Effect.async<void>((resume) => {
          place.wake = resume
          MutableList.append(waiting, place)
        })
      free--
      place.hasPermit = true
      return Effect.void
    })

  /** Passes the permit to the first caller that still waits. */
  const release = (place: Place): Effect.Effect<void> =>
    Effect.sync(() => {
      place.wake = undefined
      if (!place.hasPermit) return
      place.hasPermit = false
      for (let next = MutableList.shift(waiting); next !== undefined; next = MutableList.shift(waiting)) {
        if (next.wake === undefined) continue
        next.hasPermit = true
        next.wake(Effect.void)
        next.wake = undefined
        return
      }
      free++
    })

  return (use) =>
    Effect.suspend(() => {
      const place: Place = { hasPermit: false, wake: undefined }
      const pause: Pause = (wait) => Effect.zipRight(Effect.zipRight(release(place), wait), acquire(place))
      return Effect.ensuring(
        Effect.flatMap(acquire(place), () => use(pause)),
        release(place),
      )
    })
}

/** Waits until another request may be sent: a token bucket of `requests`, which fills again in the time `per`. */
export const rateLimiter = (
  limit: { readonly requests: number; readonly per: Duration.DurationInput } | undefined,
): Effect.Effect<void> => {
  if (limit === undefined) return Effect.void
  const interval = (Duration.toMillis(limit.per) * 1e6) / limit.requests
  const burst = interval * (limit.requests - 1)
  /** When the bucket is full again, on the monotonic clock in nanoseconds. */
  let full = 0
  const take = Effect.map(Clock.currentTimeNanos, (now) => {
    full = Math.max(full, Number(now)) + interval
  })
  // Only the first waiter looks at the bucket, so that a cancelled one has taken nothing.
  const first = Effect.flatMap(Clock.currentTimeNanos, (now) => {
    const wait = Math.ceil(full - burst - Number(now))
    return wait > 0 ? Effect.zipRight(Effect.sleep(Duration.nanos(BigInt(wait))), take) : take
  })
  return semaphore(1)(constant(first))
}
