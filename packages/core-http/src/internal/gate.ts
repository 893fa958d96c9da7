/** When attempts may begin: within the rate limit, and not while the service asks them to wait. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Credential } from "../Reason.js"
import type { StatusReason } from "../StatusReason.js"
import * as pauses from "./pause.js"
import { type Permit, semaphore } from "./semaphore.js"

/** What an attempt reports of its response. */
export interface Ended {
  /** How long others must wait. Zero if the service does not ask for it. */
  readonly pause: Duration.Duration
  /** Set after a lost connection and a timeout, which do not say whether the service refuses requests. */
  readonly isUnanswered?: boolean
  /** Set if the service asks for a wait above the limit. Then `pause` is the limit. */
  readonly refusal?: StatusReason | undefined
  /** Whether all requests must wait, not only those with the same key. */
  readonly isForAll?: boolean
}

/** Who sends an attempt. */
interface Sender {
  /** What a refusal is about. `undefined`: all requests. */
  readonly key: string | undefined
  readonly permit: Permit
}

export interface Gate {
  /**
   * Waits for its turn, first in, first out, then runs an attempt. `ready` fetches the credential before the turn and after each wait in it, so that
   * it is valid when the attempt begins. All waiting callers share its failure, and that of a service that refuses requests. Waits without a permit
   * while only its key is paused.
   */
  readonly run: <A extends Ended>(
    ready: Ready,
    attempt: Effect.Effect<A>,
    sender: Sender,
  ) => Effect.Effect<A, Credential | StatusReason>
  /** Waits until another request of an attempt may be sent. `ready` runs before and after each wait. */
  readonly next: (ready: Ready, key: Sender["key"]) => Effect.Effect<void, Credential>
}

type Ready = Effect.Effect<unknown, Credential>

/** Callers that wait at the same time share a failure of `ready`. */
interface Group {
  failure?: Credential | undefined
}

interface Caller {
  readonly key: string | undefined
  group: Group
  isReady: boolean
}

/** The pause of a key, and the order of its waiting callers. */
interface Lane extends pauses.Pause {
  readonly wait: (caller: Caller) => Effect.Effect<void>
}

const sleep = (nanos: number): Effect.Effect<void> => Effect.sleep(Math.ceil(nanos / 1e6))

/** Fewer in a row may all be of one resource. */
const maxRefusals = 16

/** A key is one resource, but one of its requests may be refused for a reason of its own. */
const maxRefusalsOfKey = 3

const makeLane = (): Lane => {
  const inTurn = semaphore(1)
  const pause = pauses.make(maxRefusalsOfKey)
  const open = (caller: Caller): Effect.Effect<void> =>
    Effect.flatMap(Clock.monotonicTimeNanos, (time) => {
      const now = Number(time)
      const wait = pause.opensAt(caller) - now
      if (pause.refusal(now) !== undefined) return Effect.void
      if (wait > 0) return Effect.andThen(Effect.raceFirst(pause.woken, sleep(wait)), open(caller))
      pause.begin(caller, now)
      return Effect.void
    })
  return { ...pause, wait: (caller) => inTurn(() => open(caller)) }
}

/**
 * At most `requests` begin in any period of length `per`. `RateLimiter` of Effect lets almost twice as many begin: at the end of one window
 * and the start of the next.
 */
export const make = (limit: { readonly requests: number; readonly per: Duration.Duration }): Gate => {
  const inTurn = semaphore(1)
  const requests = Math.floor(limit.requests)
  const per = Duration.toMillis(limit.per) * 1e6
  /** When the last `requests` began, as a ring. All times are in nanoseconds on the monotonic clock. */
  const begun: Array<number> = []
  let count = 0
  const all = pauses.make(maxRefusals)
  /** Of the keys that were refused. */
  const lanes = new Map<string | undefined, Lane>()
  let waiting = 0
  /** The waiting requests of attempts that have begun. */
  let following = 0
  let group: Group = {}

  const earliest = () => Math.max(all.resumesAt(), (begun[count % requests] ?? -Infinity) + per)

  const begin = (now: number): void => {
    begun[count++ % requests] = now
  }

  /**
   * Returns the lane of the caller if that is paused. Only the first waiter takes a place, so that a cancelled one takes none. Nothing waits between
   * `ready` and the place.
   */
  const enter = (caller: Caller, ready: Ready): Effect.Effect<Lane | undefined, Credential | StatusReason> =>
    Effect.flatMap(Clock.monotonicTimeNanos, (time): Effect.Effect<Lane | undefined, Credential | StatusReason> => {
      const now = Number(time)
      const lane = lanes.get(caller.key)
      const reason = caller.group.failure ?? all.refusal(now) ?? lane?.refusal(now)
      if (reason !== undefined) return Effect.fail(reason)
      if (lane !== undefined && lane.opensAt(caller) > now) return Effect.succeed(lane)
      // Those of attempts that have begun go first: the others wait a millisecond longer.
      const wait = Math.max(earliest() + (following > 0 ? 1e6 : 0), all.opensAt(caller)) - now
      if (wait <= 0 && caller.isReady) {
        begin(now)
        all.begin(caller, now)
        lane?.begin(caller, now)
        return Effect.undefined
      }
      caller.isReady = true
      const waited = wait > 0 ? Effect.raceFirst(all.woken, sleep(wait)) : Effect.void
      return Effect.andThen(Effect.andThen(waited, ready), enter(caller, ready))
    })

  /** A refusal stops the requests with its key, and all others if it says so, or after those of enough keys in a row. */
  const report = ({ isForAll, isUnanswered, pause, refusal }: Ended, caller: Caller, now: number): void => {
    if (isUnanswered) return
    const { key } = caller
    const until = now + Duration.toMillis(pause) * 1e6
    const isRefused = refusal !== undefined || until > now
    if (isRefused && key !== undefined && !lanes.has(key)) lanes.set(key, makeLane())
    const own = key === undefined ? all : lanes.get(key)
    if (refusal !== undefined) own?.refuse(caller, until, refusal)
    else own?.accept(until)
    if (isForAll) all.stop(until, refusal)
    else if (own === all) return
    else if (isRefused) all.refuse(key, until, refusal)
    else all.accept(until)
  }

  const leave = (caller: Caller, exit: Exit.Exit<Ended, unknown>): Effect.Effect<void> =>
    Effect.map(Clock.monotonicTimeNanos, (time) => {
      const now = Number(time)
      const hasEnded = Exit.isSuccess(exit)
      if (hasEnded) report(exit.value, caller, now)
      all.end(caller, now, hasEnded)
      const lane = lanes.get(caller.key)
      lane?.end(caller, now, hasEnded)
      if (lane?.isIdle()) lanes.delete(caller.key)
    })

  /** Not in turn, because the first in turn may wait for this attempt. */
  const next: Gate["next"] = (ready, key) =>
    Effect.flatMap(Effect.andThen(ready, Clock.monotonicTimeNanos), (time): Effect.Effect<void, Credential> => {
      const now = Number(time)
      const wait = Math.max(earliest(), lanes.get(key)?.resumesAt() ?? -Infinity) - now
      if (wait <= 0) {
        begin(now)
        return Effect.void
      }
      following++
      const waited = Effect.ensuring(
        sleep(wait),
        Effect.sync(() => following--),
      )
      return Effect.andThen(waited, next(ready, key))
    })

  return {
    run: <A extends Ended>(ready: Ready, attempt: Effect.Effect<A>, { key, permit }: Sender) => {
      const enterAndRun = (caller: Caller): Effect.Effect<A, Credential | StatusReason> => {
        caller.group = group
        caller.isReady = waiting++ === 0
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
        return Effect.flatMap(entered, (lane) => {
          if (lane === undefined) return attempt
          const waited = Effect.andThen(permit.without(lane.wait(caller)), ready)
          return Effect.flatMap(waited, () => enterAndRun(caller))
        })
      }
      return Effect.flatMap(ready, () => {
        const caller: Caller = { key, group, isReady: false }
        return Effect.onExit(enterAndRun(caller), (exit) => leave(caller, exit))
      })
    },
    next,
  }
}
