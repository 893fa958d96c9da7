/** When attempts may begin: within the rate limit, and not while the service asks the client to wait. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Credential } from "../Reason.js"
import type { StatusReason } from "../StatusReason.js"
import { semaphore } from "./semaphore.js"

/** What an attempt reports of its response. */
export interface Ended {
  /** How long the client must wait. Zero if the service does not ask for it. */
  readonly pause: Duration.Duration
  /** Set after a lost connection and a timeout, which do not say whether the service refuses requests. */
  readonly isUnanswered?: boolean
  /** Set if the service asks for a wait above the limit. Then `pause` is the limit. */
  readonly refusal?: StatusReason | undefined
}

export interface Gate {
  /**
   * Waits for its turn, first in, first out, then runs an attempt. `ready` fetches the credential before the turn and after each wait in it, so that
   * it is valid when the attempt begins. All waiting callers share its failure, and that of a service that refuses requests.
   */
  readonly run: <A extends Ended>(
    ready: Ready,
    attempt: Effect.Effect<A>,
  ) => Effect.Effect<A, Credential | StatusReason>
  /** Waits until another request of an attempt may be sent. `ready` runs before and after each wait. */
  readonly next: (ready: Ready) => Effect.Effect<void, Credential>
}

type Ready = Effect.Effect<unknown, Credential>

/** Callers that wait at the same time share a failure of `ready`. */
interface Group {
  failure?: Credential | undefined
}

interface Caller {
  readonly group: Group
  isReady: boolean
  isProbe: boolean
}

const sleep = (nanos: number): Effect.Effect<void> => Effect.sleep(Math.ceil(nanos / 1e6))

/** The others wait this long for the first attempt after a pause. Then the next one goes first as well. */
const probeNanos = 2e9

/** Fewer in a row may all be of one resource. */
const maxRefusals = 16

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
  let resumeAt = -Infinity
  let isPaused = false
  /** The last attempt that went first, and how long the others wait for it. */
  let probe: Caller | undefined
  let probeUntil = -Infinity
  let refusals = 0
  let refused: StatusReason | undefined
  let refusedUntil = -Infinity
  let waiting = 0
  /** The waiting requests of attempts that have begun. */
  let following = 0
  let group: Group = {}
  let wake = (): void => {}

  const woken = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void)
  })

  const earliest = () => Math.max(resumeAt, (begun[count % requests] ?? -Infinity) + per)

  const begin = (now: number): void => {
    begun[count++ % requests] = now
  }

  /** Only the first waiter takes a place, so that a cancelled one takes none. Nothing waits between `ready` and the place. */
  const enter = (caller: Caller, ready: Ready): Effect.Effect<void, Credential | StatusReason> =>
    Effect.flatMap(Clock.monotonicTimeNanos, (time): Effect.Effect<void, Credential | StatusReason> => {
      const now = Number(time)
      const reason = caller.group.failure ?? (now < refusedUntil ? refused : undefined)
      if (reason !== undefined) return Effect.fail(reason)
      // Those of attempts that have begun go first: the others wait a millisecond longer.
      const wait = Math.max(earliest() + (following > 0 ? 1e6 : 0), isPaused ? probeUntil : -Infinity) - now
      if (wait <= 0 && caller.isReady) {
        begin(now)
        caller.isProbe = isPaused
        if (isPaused) {
          probe = caller
          probeUntil = now + probeNanos
        }
        return Effect.void
      }
      caller.isReady = true
      const waited = wait > 0 ? Effect.raceFirst(woken, sleep(wait)) : Effect.void
      return Effect.andThen(Effect.andThen(waited, ready), enter(caller, ready))
    })

  /** If the first attempt after a pause is cancelled, the next one goes first. */
  const leave = (caller: Caller, exit: Exit.Exit<Ended, unknown>): Effect.Effect<void> =>
    Effect.map(Clock.monotonicTimeNanos, (time) => {
      const now = Number(time)
      if (Exit.isSuccess(exit)) {
        const { isUnanswered, pause, refusal } = exit.value
        const until = now + Duration.toMillis(pause) * 1e6
        if (refusal === undefined) resumeAt = Math.max(resumeAt, until)
        if (!isUnanswered) {
          refusals = refusal === undefined ? 0 : refusals + 1
          refused = refusal
          refusedUntil = refusals < maxRefusals ? -Infinity : until
        }
        // An attempt that went first may end during a later pause.
        if (now < Math.max(resumeAt, refusedUntil)) isPaused = true
        else if (caller.isProbe) isPaused = false
      }
      if (probe === caller) probeUntil = -Infinity
      if (caller.isProbe) wake()
    })

  /** Not in turn, because the first in turn may wait for this attempt. */
  const next: Gate["next"] = (ready) =>
    Effect.flatMap(Effect.andThen(ready, Clock.monotonicTimeNanos), (time): Effect.Effect<void, Credential> => {
      const now = Number(time)
      const wait = earliest() - now
      if (wait <= 0) {
        begin(now)
        return Effect.void
      }
      following++
      const waited = Effect.ensuring(
        sleep(wait),
        Effect.sync(() => following--),
      )
      return Effect.andThen(waited, next(ready))
    })

  return {
    run: (ready, attempt) =>
      Effect.flatMap(ready, () => {
        const caller: Caller = { group, isReady: waiting++ === 0, isProbe: false }
        const readyInTurn = Effect.tapError(ready, (failure) =>
          Effect.sync(() => {
            group.failure = failure
            group = {}
          }),
        )
        const entered = Effect.ensuring(
          inTurn(() => enter(caller, readyInTurn)),
          Effect.sync(() => waiting--),
        )
        return Effect.onExit(Effect.andThen(entered, attempt), (exit) => leave(caller, exit))
      }),
    next,
  }
}
