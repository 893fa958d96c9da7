/** Limits concurrent effects. Serves waiting callers first in, first out. */
import * as Effect from "effect/Effect"
import * as MutableList from "effect/MutableList"

export interface Permit {
  /** Waits without the permit, then for another one. */
  readonly without: (wait: Effect.Effect<void>) => Effect.Effect<void>
  /** Gives the permit back before the end. */
  readonly release: () => void
}

/** `timeout` fails a caller that waits too long. */
export type Semaphore = <A, E>(
  use: (permit: Permit) => Effect.Effect<A, E>,
  timeout?: Effect.Effect<never, E>,
) => Effect.Effect<A, E>

/** `wake` is set while the caller waits. */
interface Caller {
  hasPermit: boolean
  wake: ((effect: Effect.Effect<void>) => void) | undefined
}

/** Each release wakes one waiter. `Semaphore` of Effect looks at all: 20,000 calls take four times as much CPU time. */
export const semaphore = (
  permits: number,
  inTurn: <E>(acquired: Effect.Effect<void, E>) => Effect.Effect<void, E> = (acquired) => acquired,
): Semaphore => {
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

  const releaseOf = (caller: Caller) => (): void => {
    caller.wake = undefined
    if (!caller.hasPermit) return
    caller.hasPermit = false
    for (let next = MutableList.take(waiting); next !== MutableList.Empty; next = MutableList.take(waiting)) {
      if (next.wake === undefined) continue
      next.hasPermit = true
      next.wake(Effect.void)
      next.wake = undefined
      return
    }
    free++
  }

  return (use, timeout) =>
    Effect.suspend(() => {
      const caller: Caller = { hasPermit: false, wake: undefined }
      const release = releaseOf(caller)
      const released = Effect.sync(release)
      const without: Permit["without"] = (wait) => Effect.andThen(Effect.andThen(released, wait), acquire(caller))
      const used = Effect.flatMap(inTurn(acquire(caller, timeout)), () => use({ without, release }))
      return Effect.ensuring(used, released)
    })
}

/** For callers with the same timeout. Only the first that waits has a timer, which takes more memory than all else of a waiter. */
export const queue = (permits: number): Semaphore => {
  const inTurn = semaphore(1)
  return semaphore(permits, (acquired) => inTurn(() => acquired))
}
