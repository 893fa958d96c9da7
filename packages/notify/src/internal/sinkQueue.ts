/** Delivers notifications to one sink: in order per event, several events at once, with retries. */
import * as Latch from "effect/Latch"
import * as Semaphore from "effect/Semaphore"
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Notification } from "../Notification.js"
import * as Sink from "../Sink.js"
import * as saver from "./saver.js"
import * as sinkState from "./sinkState.js"
import * as sinkStore from "./sinkStore.js"

export interface Settings {
  readonly sink: Sink.Sink
  readonly location: sinkStore.Location | undefined
  readonly concurrency: number
  readonly paused: boolean
  /** The scope of the fibers that deliver. */
  readonly scope: Scope.Scope
}

/** The fiber that delivers what waits for an event. Opening the latch ends its pause. */
interface Worker {
  readonly wake: Latch.Latch
  isAsleep: boolean
  /** The version of the state that has all its notifications. */
  version: number
}

/** Longer sleeps would never end (a limit of timers). */
const maxSleep = 24 * 60 * 60_000

export const make = Effect.fnUntraced(function* ({ concurrency, location, paused, scope, sink }: Settings) {
  const stored = location === undefined ? undefined : yield* sinkStore.load(location)
  const every = Duration.toMillis(sink.repeatEvery ?? Infinity)
  // A paused delivery sends nothing, and keeps what the next one repeats.
  const repeatEvery = Number.isFinite(every) || paused ? every : undefined
  const state = sinkState.make(sink.name, repeatEvery, stored, yield* Clock.currentTimeMillis)
  const permits = Semaphore.makeUnsafe(concurrency)
  /** Repeats must not take the permits of notifications. */
  const repeating = Semaphore.makeUnsafe(1)
  /** Open if no notification is due, except those that wait for a retry. */
  const idle = Latch.makeUnsafe(true)
  const workers = new Map<string, Worker>()
  const counts = { delivered: 0, failed: 0 }
  let lastError: { readonly message: string; readonly at: string } | undefined
  let busy = 0

  const { change, isSaved, save, saveOrWarn, version } = saver.make(location, state.text)

  /**
   * Saves what waits for an event, with what was added meanwhile. If a sink got what is not stored, an older notification would follow after a
   * restart.
   */
  const saveBefore = (worker: Worker): Effect.Effect<void> =>
    Effect.suspend(() =>
      isSaved(worker.version)
        ? Effect.void
        : // The error has failed `accept`.
          Effect.matchEffect(save, { onFailure: () => Effect.void, onSuccess: () => saveBefore(worker) }),
    )

  const setBusy = (by: 1 | -1): void => {
    busy += by
    if (busy === 0) idle.openUnsafe()
    else idle.closeUnsafe()
  }

  const fail = (message: string, now: number): void => {
    counts.failed += 1
    lastError = { message: toSingleLine(message, 500), at: new Date(now).toISOString() }
  }

  /** Sends the next notification of an event. Returns the time to wait if it should be sent again. */
  const attempt = (key: string, failures: number): Effect.Effect<Option.Option<Duration.Duration>> =>
    // What the sink has accepted is recorded even if the scope closes meanwhile.
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const notification = state.begin(key, yield* Clock.currentTimeMillis)
        if (notification === undefined) return Option.none()
        const exit = yield* Effect.exit(restore(Sink.attempt(sink, notification, { failures })))
        const now = yield* Clock.currentTimeMillis
        change()
        // The scope interrupts the fiber when it closes, which is not a failure.
        const outcome = Exit.isSuccess(exit) ? exit.value : undefined
        if (outcome?._tag === "Delivered") {
          state.succeed(key, now)
          counts.delivered += 1
          if (state.counts().retrying === 0) lastError = undefined
          return Option.none()
        }
        if (outcome !== undefined) fail(outcome.message, now)
        if (outcome?._tag === "Rejected") {
          state.giveUp(key, outcome.reason, outcome.message, now)
          return Option.none()
        }
        state.postpone(key)
        return Option.some(outcome?.after ?? Duration.zero)
      }),
    )

  /** The worker is busy at once, so that a flush waits for what was added. */
  const wakeUp = (worker: Worker): void => {
    if (worker.isAsleep) setBusy(1)
    worker.isAsleep = false
    worker.wake.openUnsafe()
  }

  /** Sends the last notification of an open event again. If that fails, the next repeat follows. */
  const repeat = Effect.fnUntraced(function* (key: string) {
    const notification = state.repeat(key, yield* Clock.currentTimeMillis)
    if (notification === undefined) return
    const delivering = Effect.suspend(() => sink.deliver(notification))
    const exit = yield* Effect.exit(
      Effect.timeoutOption(delivering, Duration.min(Duration.minutes(10), Duration.millis(every))),
    )
    if (Exit.isFailure(exit)) yield* Effect.logDebug(`The sink ${sink.name} did not accept a repeated notification.`)
  }, repeating.withPermits(1))

  /** Runs an effect until it ends, or something is added. A worker that pauses is not busy. */
  const pause = (effect: Effect.Effect<void>, worker: Worker): Effect.Effect<void> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        worker.isAsleep = true
        setBusy(-1)
      }),
      () => Effect.race(effect, worker.wake.await),
      () => Effect.sync(() => wakeUp(worker)),
    )

  /** Delivers what waits for an event, and repeats the last notification while the event is open. */
  const work = Effect.fnUntraced(function* (key: string, worker: Worker) {
    let failures = 0
    let retryAt = 0
    while (true) {
      const now = yield* Clock.currentTimeMillis
      // No fiber runs between these lines, so that no wake-up is lost.
      worker.wake.closeUnsafe()
      const dueAt = state.dueAt(key)
      const repeatAt = state.repeatAt(key) ?? Infinity
      if (dueAt === undefined && repeatAt === Infinity) return void workers.delete(key)
      const sendAt = Math.max(dueAt ?? Infinity, retryAt)
      if (sendAt > now) {
        const sleep = Effect.sleep(Math.min(Math.min(sendAt, repeatAt) - now, maxSleep))
        yield* pause(repeatAt > now ? sleep : repeat(key), worker)
        continue
      }
      const retry = yield* permits.withPermits(1)(Effect.andThen(saveBefore(worker), attempt(key, failures)))
      failures = Option.isSome(retry) ? failures + 1 : 0
      if (Option.isSome(retry)) retryAt = Math.floor((yield* Clock.currentTimeMillis) + Duration.toMillis(retry.value))
      yield* saveOrWarn
    }
  })

  const start = (key: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const isDone = state.dueAt(key) === undefined && state.repeatAt(key) === undefined
      if (paused || isDone) return Effect.void
      const known = workers.get(key)
      if (known !== undefined) return Effect.sync(() => wakeUp(known))
      const worker = { wake: Latch.makeUnsafe(false), isAsleep: false, version: version() }
      workers.set(key, worker)
      setBusy(1)
      const working = Effect.ensuring(
        work(key, worker),
        Effect.sync(() => {
          if (workers.get(key) === worker) workers.delete(key)
          setBusy(-1)
        }),
      )
      return Effect.forkIn(Effect.interruptible(working), scope)
    }).pipe(Effect.uninterruptible)

  yield* Effect.forEach(state.keys(), start, { discard: true })

  return {
    openLevel: state.openLevel,
    /** Accepts a notification: stores it, then delivers it at a time. Without a time: see `sinkState`. */
    accept: (notification: Notification, notBefore: number | undefined, now: number) =>
      Effect.suspend(() => {
        if (state.accept(notification, notBefore, now)) change()
        const worker = workers.get(notification.key)
        if (worker !== undefined) worker.version = version()
        return save
      }).pipe(Effect.ensuring(start(notification.key))),
    deadLetters: Effect.sync(state.deadLetters),
    resendDeadLetters: (ids: ReadonlySet<string>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const moved = state.requeue(ids, now)
        change()
        return save.pipe(
          Effect.ensuring(Effect.forEach(moved, ({ key }) => start(key), { discard: true })),
          Effect.as(moved.map(({ id }) => id)),
        )
      }),
    removeDeadLetters: (ids: ReadonlySet<string>) =>
      Effect.suspend(() => {
        state.removeDeadLetters(ids)
        change()
        return save
      }),
    /** Waits until every due notification was sent once. */
    flush: idle.await,
    save: saveOrWarn,
    status: Effect.sync(() => ({ sink: sink.name, ...counts, ...state.counts(), lastError })),
  }
})

export type SinkQueue = Effect.Success<ReturnType<typeof make>>
