/** When attempts may begin: within the rate limit, and not while the service asks the client to wait. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { semaphore } from "./semaphore.js"

/** What an attempt reports: how long the service asks the client to wait. Zero if it does not. */
export interface Ended {
  readonly pause: Duration.Duration
}

export interface Gate {
  /** Waits for its turn, first in, first out, then runs an attempt. */
  readonly run: <A extends Ended, E>(attempt: (hasWaited: boolean) => Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Waits until another request of an attempt may be sent. */
  readonly next: Effect.Effect<void>
}

interface Caller {
  hasWaited: boolean
  isProbe: boolean
}

const sleep = (nanos: number): Effect.Effect<void> => Effect.sleep(Math.ceil(nanos / 1e6))

/**
 * At most `requests` begin in any period of length `per`. `RateLimiter` of Effect lets almost twice as many begin: at the end of one window
 * and the start of the next. After a pause, one attempt goes first: the others wait until it has ended without another pause.
 */
export const make = (limit: { readonly requests: number; readonly per: Duration.Duration }): Gate => {
  const inTurn = semaphore(1)
  const requests = Math.floor(limit.requests)
  const per = Duration.toMillis(limit.per) * 1e6
  /** When the last `requests` began, as a ring. All times are in nanoseconds on the monotonic clock. */
  const begun: Array<number> = []
  let count = 0
  let lastBegin = -Infinity
  let resumeAt = -Infinity
  let isPaused = false
  let isProbing = false
  let waiting = 0
  let wake = (): void => {}

  const earliest = () => Math.max(resumeAt, lastBegin, (begun[count % requests] ?? -Infinity) + per)

  const begin = (at: number): void => {
    lastBegin = at
    begun[count++ % requests] = at
  }

  /** Only the first waiter takes a place, so that a cancelled one takes none. */
  const enter = (caller: Caller): Effect.Effect<void> =>
    Effect.flatMap(Clock.monotonicTimeNanos, (time) => {
      const now = Number(time)
      const wait = earliest() - now
      if (!isProbing && wait <= 0) {
        begin(now)
        isProbing = caller.isProbe = isPaused
        return Effect.void
      }
      caller.hasWaited = true
      const changed = isProbing
        ? Effect.callback<void>((resume) => {
            wake = () => resume(Effect.void)
          })
        : sleep(wait)
      return Effect.andThen(changed, enter(caller))
    })

  /** If the first attempt after a pause is cancelled, the next one goes first. */
  const leave = ({ isProbe }: Caller, exit: Exit.Exit<Ended, unknown>): Effect.Effect<void> =>
    Effect.map(Clock.monotonicTimeNanos, (now) => {
      const pause = Exit.isSuccess(exit) ? Duration.toMillis(exit.value.pause) * 1e6 : 0
      if (pause > 0) {
        isPaused = true
        resumeAt = Math.max(resumeAt, Number(now) + pause)
      }
      if (!isProbe) return
      isProbing = false
      if (Exit.isSuccess(exit) && pause === 0) isPaused = false
      wake()
    })

  return {
    run: (attempt) =>
      Effect.suspend(() => {
        const caller: Caller = { hasWaited: waiting++ > 0, isProbe: false }
        const entered = Effect.ensuring(
          inTurn(() => enter(caller)),
          Effect.sync(() => waiting--),
        )
        const attempted = Effect.flatMap(entered, () => attempt(caller.hasWaited))
        return Effect.onExit(attempted, (exit) => leave(caller, exit))
      }),
    // Not in turn, because the first in turn may wait for this attempt.
    next: Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
      const at = Math.max(Number(now), earliest())
      begin(at)
      return sleep(at - Number(now))
    }),
  }
}
