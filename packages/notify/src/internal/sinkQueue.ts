/** Runs the state of a sink: stores it, and sends what is due, with retries. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { DeliveryStoreError } from "../DeliveryStoreError.js"
import type { Notification } from "../Notification.js"
import * as Sink from "../Sink.js"
import type { SinkEvent } from "./sinkEvent.js"
import * as sinkState from "./sinkState.js"
import * as sinkStore from "./sinkStore.js"
import * as transitions from "./sinkTransitions.js"

export interface Settings {
  readonly sink: Sink.Sink
  readonly location: sinkStore.Location | undefined
  readonly concurrency: number
  readonly paused: boolean
  /** The scope of the fibers that deliver. */
  readonly scope: Scope.Scope
}

/** Longer sleeps would never end (a limit of timers). */
const maxSleep = 24 * 60 * 60_000

export const make = Effect.fnUntraced(function* ({ concurrency, location, paused, scope, sink }: Settings) {
  const stored = location === undefined ? sinkState.none : yield* sinkStore.load(location)
  const repeatEvery = sink.repeatEvery === undefined ? undefined : Duration.toMillis(sink.repeatEvery)
  let state = sinkState.load(stored, { sink: sink.name, repeatEvery, now: yield* Clock.currentTimeMillis })
  let saved = state
  let revision = 0
  let savedRevision = 0
  const saving = Semaphore.makeUnsafe(1)
  /** Each change of the state wakes all that wait for one. */
  const waiting = new Set<() => void>()
  const counts = { delivered: 0, failed: 0 }
  let lastError: { readonly message: string; readonly at: string } | undefined

  const set = (next: sinkState.State): void => {
    if (next === state) return
    state = next
    revision += 1
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }

  const changedSince = (seen: sinkState.State): Effect.Effect<void> =>
    Effect.callback((resume) => {
      if (state !== seen) return resume(Effect.void)
      // A resumed fiber runs at once, before the change is complete.
      const wake = () => resume(Effect.yieldNow)
      waiting.add(wake)
      return Effect.sync(() => void waiting.delete(wake))
    })

  /** Waits for a time of the seen state, or until the state changes. */
  const wait = (seen: sinkState.State, time: number, now: number): Effect.Effect<void> =>
    time === Infinity
      ? changedSince(seen)
      : Effect.raceFirst(Effect.sleep(Math.min(time - now, maxSleep)), changedSince(seen))

  /** Saves the state, once for all that wait for it. */
  const save: Effect.Effect<void, DeliveryStoreError> = Effect.suspend(() => {
    if (location === undefined) return Effect.void
    const required = revision
    const write = Effect.suspend(() => {
      if (savedRevision >= required) return Effect.void
      const [current, currentRevision] = [state, revision]
      return Effect.map(sinkStore.save(location, current), () => {
        saved = current
        savedRevision = currentRevision
      })
    })
    return saving.withPermits(1)(write)
  })

  /** What is not saved now is saved with the next change. Until then, a restart would deliver it again. */
  const saveOrWarn = Effect.catch(save, (error) => Effect.logWarning(error.message, error.cause))

  /** If a sink got what is not stored, an older notification would follow after a restart. */
  const saveBefore = ({ first, key }: SinkEvent): Effect.Effect<void> => {
    const known = saved.events.get(key)
    const isSaved = location === undefined || (known?.first === first && known?.joins !== true)
    // The error has failed `accept`.
    return isSaved ? Effect.void : Effect.ignore(save)
  }

  const fail = (message: string, now: number): void => {
    counts.failed += 1
    lastError = { message: toSingleLine(message, 500), at: new Date(now).toISOString() }
  }

  const record = (key: string, outcome: Sink.Outcome | undefined, now: number): void => {
    // The scope interrupts an attempt when it closes, which is not a failure.
    if (outcome === undefined) return set(transitions.postpone(state, key, now))
    if (outcome._tag === "Delivered") {
      set(transitions.succeed(state, key, now))
      counts.delivered += 1
      if (sinkState.count(state).retrying === 0) lastError = undefined
      return
    }
    fail(outcome.message, now)
    if (outcome._tag === "Rejected") return set(transitions.giveUp(state, key, outcome.reason, outcome.message, now))
    set(transitions.postpone(state, key, Math.floor(now + Duration.toMillis(outcome.after))))
  }

  /** Sends the next due notification, or waits for one. What the sink has accepted is recorded even if the scope closes meanwhile. */
  const work = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const [next, event] = transitions.begin(state, now)
      set(next)
      if (event?.first === undefined) return yield* restore(wait(next, sinkState.next(next)?.at ?? Infinity, now))
      const attempt = Sink.attempt(sink, event.first.notification, { failures: event.failures ?? 0 })
      const exit = yield* Effect.exit(restore(Effect.andThen(saveBefore(event), attempt)))
      record(event.key, Exit.isSuccess(exit) ? exit.value : undefined, yield* Clock.currentTimeMillis)
      yield* saveOrWarn
    }),
  )

  /** Waits until a notification of the event is due. */
  const untilDue = (key: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const at = sinkState.dueAt(state, key) ?? Infinity
      if (at > now) yield* Effect.andThen(wait(state, at, now), untilDue(key))
    })

  /** Sends the last notification of an open event again, or waits until one is due. If that fails, the next repeat follows. */
  const repeat = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [next, notification] = transitions.beginRepeat(state, now)
    set(next)
    if (notification === undefined) return yield* wait(next, sinkState.nextRepeat(next)?.at ?? Infinity, now)
    const limit = Duration.min(Duration.minutes(10), Duration.millis(repeatEvery ?? Infinity))
    const delivering = Effect.timeoutOption(
      Effect.suspend(() => sink.deliver(notification)),
      limit,
    )
    const exit = yield* Effect.exit(Effect.raceFirst(delivering, untilDue(notification.key)))
    set(transitions.endRepeat(state, notification.key))
    if (Exit.isFailure(exit)) yield* Effect.logDebug(`The sink ${sink.name} did not accept a repeated notification.`)
  })

  const fibers = paused ? [] : [repeat, ...Array.from({ length: concurrency }, () => work)]
  yield* Effect.forEach(fibers, (each) => Effect.forkIn(Effect.interruptible(Effect.forever(each)), scope), {
    discard: true,
  })

  const untilIdle: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    sinkState.isBusy(state, now) ? Effect.andThen(changedSince(state), untilIdle) : Effect.void,
  )

  return {
    openLevel: (key: string) => sinkState.openLevel(state, key),
    /** Stores a notification, then delivers it. */
    accept: (notification: Notification, plan: transitions.Plan, now: number) =>
      Effect.suspend(() => {
        set(transitions.accept(state, notification, plan, now))
        return save
      }),
    deadLetters: Effect.sync(() => state.deadLetters),
    resendDeadLetters: (ids: ReadonlySet<string>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const [next, moved] = transitions.requeue(state, ids, now)
        set(next)
        return Effect.as(save, moved)
      }),
    removeDeadLetters: (ids: ReadonlySet<string>) =>
      Effect.suspend(() => {
        set(transitions.removeDeadLetters(state, ids))
        return save
      }),
    /** Sends what waits to be joined, and waits until every due notification was sent once. */
    flush: Effect.suspend(() => {
      set(transitions.release(state))
      return paused ? Effect.void : untilIdle
    }),
    save: saveOrWarn,
    status: Effect.sync(() => {
      const { deadLettered } = state
      return { sink: sink.name, ...counts, ...sinkState.count(state), deadLettered, lastError }
    }),
  }
})

export type SinkQueue = Effect.Success<ReturnType<typeof make>>
