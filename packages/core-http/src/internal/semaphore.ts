/** Limits concurrent effects. Serves waiting callers first in, first out. */
import * as Effect from "effect/Effect"
import * as MutableList from "effect/MutableList"

/** `wake` is set while the caller waits. */
interface Caller {
  hasPermit: boolean
  wake: ((effect: Effect.Effect<void>) => void) | undefined
}

const makeCaller = (): Caller => ({ hasPermit: false, wake: undefined })

/** Each release wakes one waiter. `Semaphore` of Effect looks at all: 20,000 calls take four times as much CPU time. */
const make = (permits: number) => {
  let free = permits
  const waiting = MutableList.make<Caller>()

  const acquire = <E = never>(caller: Caller, timeout?: Effect.Effect<never, E>): Effect.Effect<void, E> =>
    Effect.suspend(() => {
      if (free < 1) {
        const woken = Effect.callback<void>((resume) => {
          caller.wake = resume
          MutableList.append(waiting, caller)
        })
        return timeout === undefined ? woken : Effect.raceFirst(woken, timeout)
      }
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

  return { acquire, release }
}

/** Runs one effect at a time. */
export const lock = (): (<A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const { acquire, release } = make(1)
  return (effect) =>
    Effect.suspend(() => {
      const caller = makeCaller()
      return Effect.ensuring(Effect.andThen(acquire(caller), effect), release(caller))
    })
}

export type WithoutPermit = (wait: Effect.Effect<void>) => Effect.Effect<void>

/** `timeout` fails if the permit comes too late. It must not end earlier than that of a caller before. */
export type Semaphore = <A, E>(
  use: (withoutPermit: WithoutPermit) => Effect.Effect<A, E>,
  timeout: Effect.Effect<never, E>,
) => Effect.Effect<A, E>

/** Only the first waiter has a timeout, because a timer takes more memory than all else of a waiter. */
export const semaphore = (permits: number): Semaphore => {
  const { acquire, release } = make(permits)
  const inTurn = lock()
  return (use, timeout) =>
    Effect.suspend(() => {
      const caller = makeCaller()
      const used = Effect.flatMap(inTurn(acquire(caller, timeout)), () =>
        use((wait) => Effect.andThen(Effect.andThen(release(caller), wait), acquire(caller))),
      )
      return Effect.ensuring(used, release(caller))
    })
}
