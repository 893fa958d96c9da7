/** Runs the state of a sink: stores it, and sends what is due, with retries. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import type * as Scope from "effect/Scope"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import type { DeliveryStoreError } from "../DeliveryStoreError.js"
import type { Notification } from "../Notification.js"
import type { Decision } from "../Routes.js"
import * as Sink from "../Sink.js"
import * as sinkState from "./sinkState.js"
import * as sinkStore from "./sinkStore.js"
import * as sinkTime from "./sinkTime.js"
import * as transitions from "./sinkTransitions.js"

export interface Settings {
  readonly sink: Sink.Sink
  readonly store: KeyValueStore.KeyValueStore | undefined
  readonly concurrency: number
  readonly paused: boolean
  /** The scope of the fibers that deliver. */
  readonly scope: Scope.Scope
}

/** A clock that is set forward, as after a sleep of the machine, is noticed after this. */
const maxSleep = 5 * 60_000

const nothing = { stored: sinkState.none, writer: undefined }

interface Failure {
  readonly message: string
  readonly at: string
}

/** The decision in the time of the sink, which may be ahead of the clock. */
const inTime = (decision: Decision, ahead: number): Decision =>
  decision.action === "hold" ? { ...decision, until: DateTime.addDuration(decision.until, ahead) } : decision

export const make = Effect.fnUntraced(function* ({ concurrency, paused, scope, sink, store }: Settings) {
  const { stored, writer } = store === undefined ? nothing : yield* sinkStore.open({ store, sink: sink.name })
  const repeatEvery = Duration.toMillis(sink.repeatEvery ?? Duration.infinity)
  const time = yield* sinkTime.make
  const keepsEvents = sink.keepsEvents === true || sink.repeatEvery !== undefined
  const state = sinkState.load(stored, { sink: sink.name, keepsEvents, repeatEvery, now: time.now() })
  let savedRevision = 0
  const saving = Semaphore.makeUnsafe(1)
  let changed = Deferred.makeUnsafe<void>()
  const counts = { delivered: 0, failed: 0 }
  let lastError: Failure | undefined
  let storeError: Failure | undefined

  /** Wakes all that wait for a change. */
  const wake = (): void => {
    const woken = changed
    changed = Deferred.makeUnsafe()
    Deferred.doneUnsafe(woken, Exit.void)
  }

  const failureOf = (message: string): Failure => ({
    message: toSingleLine(message, 500),
    at: new Date(time.shown()).toISOString(),
  })

  /** Waits until a time, or for the next change. */
  const wait = (until: number, now: number): Effect.Effect<void> =>
    Effect.asVoid(Effect.timeoutOption(Deferred.await(changed), Math.min(until - now, maxSleep)))

  /** Logs when the store begins to fail. What is not saved now is saved with the next change. Until then, a restart would deliver it again. */
  const noteStore = (error: DeliveryStoreError): Effect.Effect<void> =>
    Effect.suspend(() => {
      const isNoted = storeError !== undefined
      const why = error.cause === undefined ? "" : ` (${error.cause.message})`
      storeError = failureOf(`${error.message}${why}`)
      return isNoted ? Effect.void : Effect.ignoreCause(Effect.logWarning(error.message, error.cause))
    })

  const saveWith = (write: "write" | "writeAll") =>
    Effect.suspend(() => {
      const required = state.revision
      const writing = Effect.suspend(() => {
        const isDone = savedRevision >= required && (write === "write" || writer?.isWhole() === true)
        if (writer === undefined || isDone) return Effect.void
        const current = state.revision
        return Effect.map(writer[write](state, time.now()), () => {
          savedRevision = current
          storeError = undefined
        })
      })
      return saving.withPermits(1)(Effect.tapError(writing, noteStore))
    })

  /** Saves the state, once for all that wait for it. */
  const save = saveWith("write")

  /** Returns when the change is stored. */
  const change = <A>(transition: () => A): Effect.Effect<A, DeliveryStoreError> =>
    Effect.suspend(() => {
      const result = transition()
      wake()
      return Effect.as(save, result)
    })

  const record = (key: string, outcome: Sink.Outcome): void => {
    const now = time.now()
    if (outcome._tag === "Delivered") {
      transitions.succeed(state, key, now)
      counts.delivered += 1
      if (sinkState.count(state).retrying === 0) lastError = undefined
      return
    }
    const { message } = outcome
    counts.failed += 1
    lastError = failureOf(message)
    if (outcome._tag === "Rejected") return transitions.giveUp(state, key, outcome.reason, message, time.shown())
    transitions.postpone(state, key, Math.floor(now + Duration.toMillis(outcome.after)))
  }

  /** Sends the next due notification, or waits for one. What the sink has accepted is recorded even if the scope closes meanwhile. */
  const work = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const now = time.now()
      const event = transitions.begin(state, now, time.shown())
      if (event?.current === undefined) return yield* restore(wait(sinkState.next(state)?.at ?? Infinity, now))
      wake()
      const attempt = Sink.attempt(sink, event.current, { failures: event.failures ?? 0 })
      // If a sink got what is not stored, an older notification would follow after a restart. An error has failed `accept`.
      yield* restore(Effect.andThen(Effect.ignore(save), attempt)).pipe(
        Effect.map((outcome) => record(event.key, outcome)),
        // The scope interrupts an attempt when it closes, which is not a failure. A defect must not leave the event as one that is being sent.
        Effect.onError(() => Effect.sync(() => transitions.postpone(state, event.key, time.now()))),
        Effect.ensuring(Effect.ensuring(Effect.ignore(save), Effect.sync(wake))),
      )
    }),
  )

  /** Waits until a notification of the event is due. */
  const untilDue = (key: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const now = time.now()
      const event = state.events.get(key)
      const at = event === undefined ? Infinity : sinkState.timeOf(state, event)
      return at > now ? Effect.andThen(wait(at, now), untilDue(key)) : Effect.void
    })

  /** Sends the last notifications of the open events again, and ignores what happens to them: the next repeat follows. */
  const repeatAll = Effect.gen(function* () {
    for (const key of Array.from(state.events.keys())) {
      const notification = sinkState.toRepeat(state, key, time.now())
      if (notification === undefined) continue
      state.repeating = key
      const attempt = Effect.timeoutOption(Sink.attempt(sink, notification, { failures: 0 }), repeatEvery)
      const end = Effect.sync(() => {
        state.repeating = undefined
        wake()
      })
      yield* Effect.ensuring(Effect.raceFirst(attempt, untilDue(key)), end)
    }
  })

  /** A defect, such as one of the store or of a logger, must not end the deliveries: nobody would see that they ended. */
  const survive = (loop: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.catchDefect(loop, (defect) =>
      Effect.andThen(
        Effect.ignoreCause(
          Effect.logError(`The delivery to ${sink.name} has a defect. It goes on.`, Cause.die(defect)),
        ),
        Effect.sleep("10 seconds"),
      ),
    )

  const repeats = repeatEvery < Infinity ? [Effect.repeat(survive(repeatAll), Schedule.fixed(repeatEvery))] : []
  const fibers = paused ? [] : [...repeats, ...Array.from({ length: concurrency }, () => Effect.forever(survive(work)))]
  yield* Effect.forEach(fibers, (each) => Effect.forkIn(Effect.interruptible(each), scope), {
    discard: true,
  })

  const untilIdle: Effect.Effect<void> = Effect.suspend(() =>
    sinkState.isBusy(state, time.now()) ? Effect.andThen(Deferred.await(changed), untilIdle) : Effect.void,
  )

  return {
    openLevel: (key: string) => sinkState.openLevel(state, key),
    /** Stores a notification, then delivers it. */
    accept: (notification: Notification, decision: Decision) =>
      Effect.suspend(() => {
        const now = time.now()
        return change(() => transitions.accept(state, notification, inTime(decision, now - time.shown()), now))
      }),
    deadLetters: Effect.sync(() => state.deadLetters),
    resendDeadLetters: (ids: ReadonlySet<string>) => change(() => transitions.requeue(state, ids)),
    removeDeadLetters: (ids: ReadonlySet<string>) => change(() => transitions.removeDeadLetters(state, ids)),
    /** Sends what waits to be joined, and waits until every due notification was sent once. */
    flush: Effect.suspend(() => {
      transitions.release(state)
      wake()
      return paused ? Effect.void : untilIdle
    }),
    /** Saves all in one text, which other releases read. */
    save: Effect.ignore(saveWith("writeAll")),
    status: Effect.sync(() => {
      const { deadLettered } = state
      return { sink: sink.name, ...counts, ...sinkState.count(state), deadLettered, lastError, storeError }
    }),
  }
})

export type SinkQueue = Effect.Success<ReturnType<typeof make>>
