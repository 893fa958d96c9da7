/** Runs the state of a sink: stores it, and sends what is due, with retries. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { DeliveryStoreError } from "../DeliveryStoreError.js"
import type { Notification } from "../Notification.js"
import type { Decision } from "../Routes.js"
import * as Sink from "../Sink.js"
import * as sinkState from "./sinkState.js"
import * as transitions from "./sinkTransitions.js"

const decode = Schema.decodeEffect(Schema.fromJsonString(sinkState.Stored))

/** Where the state of a sink is stored. */
interface Location {
  readonly store: KeyValueStore.KeyValueStore
  readonly key: string
}

export const load = ({ key, store }: Location): Effect.Effect<typeof sinkState.Stored.Type, DeliveryStoreError> =>
  Effect.gen(function* () {
    const text = yield* Effect.mapError(
      store.get(key),
      (cause) => new DeliveryStoreError({ key, operation: "load", reason: "unavailable", cause }),
    )
    if (text === undefined) return sinkState.none
    return yield* Effect.mapError(
      decode(text),
      () => new DeliveryStoreError({ key, operation: "load", reason: "unreadable" }),
    )
  })

/** Not interruptible: half a write may leave the text unreadable. */
const saveState = ({ key, store }: Location, state: sinkState.State): Effect.Effect<void, DeliveryStoreError> =>
  Effect.mapError(
    Effect.uninterruptible(store.set(key, sinkState.encode(state))),
    (cause) => new DeliveryStoreError({ key, operation: "save", reason: "unavailable", cause }),
  )

export interface Settings {
  readonly sink: Sink.Sink
  readonly location: Location | undefined
  readonly concurrency: number
  readonly paused: boolean
  /** The scope of the fibers that deliver. */
  readonly scope: Scope.Scope
}

/** Longer sleeps would never end (a limit of timers). */
const maxSleep = 24 * 60 * 60_000

export const make = Effect.fnUntraced(function* ({ concurrency, location, paused, scope, sink }: Settings) {
  const stored = location === undefined ? sinkState.none : yield* load(location)
  const repeatEvery = Duration.toMillis(sink.repeatEvery ?? Duration.infinity)
  const now = yield* Clock.currentTimeMillis
  const keepsEvents = sink.keepsEvents === true || sink.repeatEvery !== undefined
  const state = sinkState.load(stored, { sink: sink.name, keepsEvents, repeatEvery, now })
  let savedRevision = 0
  const saving = Semaphore.makeUnsafe(1)
  let changed = Deferred.makeUnsafe<void>()
  const counts = { delivered: 0, failed: 0 }
  let lastError: { readonly message: string; readonly at: string } | undefined

  /** Wakes all that wait for a change. */
  const wake = (): void => {
    const woken = changed
    changed = Deferred.makeUnsafe()
    Deferred.doneUnsafe(woken, Exit.void)
  }

  /** Waits until a time, or for the next change. */
  const wait = (time: number, now: number): Effect.Effect<void> =>
    Effect.asVoid(Effect.timeoutOption(Deferred.await(changed), Math.min(time - now, maxSleep)))

  /** Saves the state, once for all that wait for it. */
  const save: Effect.Effect<void, DeliveryStoreError> = Effect.suspend(() => {
    const required = state.revision
    const write = Effect.suspend(() => {
      if (location === undefined || savedRevision >= required) return Effect.void
      const current = state.revision
      return Effect.map(saveState(location, state), () => {
        savedRevision = current
      })
    })
    return saving.withPermits(1)(write)
  })

  /** What is not saved now is saved with the next change. Until then, a restart would deliver it again. */
  const saveOrWarn = Effect.catch(save, (error) => Effect.logWarning(error.message, error.cause))

  /** Returns when the change is stored. */
  const change = <A>(transition: () => A): Effect.Effect<A, DeliveryStoreError> =>
    Effect.suspend(() => {
      const result = transition()
      wake()
      return Effect.as(save, result)
    })

  const record = (key: string, outcome: Sink.Outcome | undefined, now: number): void => {
    // The scope interrupts an attempt when it closes, which is not a failure.
    if (outcome === undefined) return transitions.postpone(state, key, now)
    if (outcome._tag === "Delivered") {
      transitions.succeed(state, key, now)
      counts.delivered += 1
      if (sinkState.count(state).retrying === 0) lastError = undefined
      return
    }
    const { message } = outcome
    counts.failed += 1
    lastError = { message: toSingleLine(message, 500), at: new Date(now).toISOString() }
    if (outcome._tag === "Rejected") return transitions.giveUp(state, key, outcome.reason, message, now)
    transitions.postpone(state, key, Math.floor(now + Duration.toMillis(outcome.after)))
  }

  /** Sends the next due notification, or waits for one. What the sink has accepted is recorded even if the scope closes meanwhile. */
  const work = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const event = transitions.begin(state, now)
      if (event?.current === undefined) return yield* restore(wait(sinkState.next(state)?.at ?? Infinity, now))
      wake()
      const attempt = Sink.attempt(sink, event.current, { failures: event.failures ?? 0 })
      // If a sink got what is not stored, an older notification would follow after a restart. An error has failed `accept`.
      const exit = yield* Effect.exit(restore(Effect.andThen(Effect.ignore(save), attempt)))
      record(event.key, Exit.isSuccess(exit) ? exit.value : undefined, yield* Clock.currentTimeMillis)
      yield* saveOrWarn
      wake()
    }),
  )

  /** Waits until a notification of the event is due. */
  const untilDue = (key: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const event = state.events.get(key)
      const at = event === undefined ? Infinity : sinkState.timeOf(state, event)
      if (at > now) yield* Effect.andThen(wait(at, now), untilDue(key))
    })

  /** Sends the last notifications of the open events again, and ignores what happens to them: the next repeat follows. */
  const repeatAll = Effect.gen(function* () {
    for (const key of Array.from(state.events.keys())) {
      const notification = sinkState.toRepeat(state, key, yield* Clock.currentTimeMillis)
      if (notification === undefined) continue
      state.repeating = key
      const attempt = Effect.timeoutOption(Sink.attempt(sink, notification, { failures: 0 }), repeatEvery)
      yield* Effect.raceFirst(attempt, untilDue(key))
      state.repeating = undefined
      wake()
    }
  })

  const repeats = repeatEvery < Infinity ? [Effect.repeat(repeatAll, Schedule.fixed(repeatEvery))] : []
  const fibers = paused ? [] : [...repeats, ...Array.from({ length: concurrency }, () => Effect.forever(work))]
  yield* Effect.forEach(fibers, (each) => Effect.forkIn(Effect.interruptible(each), scope), {
    discard: true,
  })

  const untilIdle: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    sinkState.isBusy(state, now) ? Effect.andThen(Deferred.await(changed), untilIdle) : Effect.void,
  )

  return {
    openLevel: (key: string) => sinkState.openLevel(state, key),
    /** Stores a notification, then delivers it. */
    accept: (notification: Notification, decision: Decision) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        change(() => transitions.accept(state, notification, decision, now)),
      ),
    deadLetters: Effect.sync(() => state.deadLetters),
    resendDeadLetters: (ids: ReadonlySet<string>) => change(() => transitions.requeue(state, ids)),
    removeDeadLetters: (ids: ReadonlySet<string>) => change(() => transitions.removeDeadLetters(state, ids)),
    /** Sends what waits to be joined, and waits until every due notification was sent once. */
    flush: Effect.suspend(() => {
      transitions.release(state)
      wake()
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
