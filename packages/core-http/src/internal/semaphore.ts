/** Limits how many effects run at once. The others wait in a queue: first in, first out. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

/** Runs an effect once a permit is free. An interrupted caller leaves the queue. */
export type Semaphore = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * A semaphore whose releases wake one waiter each. `Effect.makeSemaphore` wakes all of them, so that the time and the memory that
 * waiting takes grow with the square of the number of waiters.
 */
export const make = (permits: number): Semaphore => {
  let free = permits
  /** Waiters by ticket. A waiter that left has none, and its ticket is skipped. */
  const waiting = new Map<number, Deferred.Deferred<void>>()
  let first = 0
  let next = 0

  /** Passes the permit to the first waiter, if there is one. */
  const release = Effect.sync(() => {
    if (waiting.size === 0) {
      free++
      first = next
      return
    }
    let waiter: Deferred.Deferred<void> | undefined
    while (waiter === undefined) {
      waiter = waiting.get(first)
      waiting.delete(first++)
    }
    Deferred.unsafeDone(waiter, Effect.void)
  })

  return (self) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const run = Effect.ensuring(restore(self), release)
        if (free >= 1) {
          free--
          return run
        }
        const ticket = next++
        const permit = Deferred.unsafeMake<void>(FiberId.none)
        waiting.set(ticket, permit)
        // A waiter that is no longer in the queue has been passed a permit, and passes it on.
        const leave = Effect.suspend(() => (waiting.delete(ticket) ? Effect.void : release))
        return Effect.zipRight(
          Effect.catchAllCause(restore(Deferred.await(permit)), (cause) =>
            Effect.zipRight(leave, Effect.failCause(cause)),
          ),
          run,
        )
      }),
    )
}
