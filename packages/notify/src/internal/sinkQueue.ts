/** Delivers notifications to one sink: in order per event, several events at once, with retries. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type { DeliveryStoreError } from "../DeliveryStoreError.js"
import type { Notification } from "../Notification.js"
import type { Sink } from "../Sink.js"
import * as sinkState from "./sinkState.js"

export interface Settings {
  readonly sink: Sink
  readonly location: sinkState.Location | undefined
  readonly concurrency: number
  readonly timeout: Duration.Duration
  readonly maxPending: number
  readonly maxDeadLetters: number
  readonly paused: boolean
  /** The scope of the fibers that deliver. */
  readonly scope: Scope.Scope
}

/** The fiber that delivers what waits for an event. Opening the latch ends its sleep. */
interface Worker {
  readonly wake: Effect.Latch
  isAsleep: boolean
}

const firstDelay = 1_000
const maxDelay = 5 * 60_000
const maxRetryAfter = 60 * 60_000
/** Longer sleeps would never end (a limit of timers). */
const maxSleep = 24 * 60 * 60_000

/** The wait before the next attempt, in milliseconds: doubles up to 5 minutes, less a random part of a half. */
const delay = (failures: number, error: RequestError | undefined) =>
  Effect.map(Random.next, (random) => {
    const retryAfter = error !== undefined && "retryAfter" in error ? error.retryAfter : Option.none()
    const requested = Option.match(retryAfter, { onNone: () => 0, onSome: (wait) => Duration.toMillis(wait) })
    const backoff = Math.min(firstDelay * 2 ** (failures - 1), maxDelay) * (1 - random / 2)
    return Math.floor(Math.max(Math.min(requested, maxRetryAfter), backoff))
  })

/** Messages of defects may contain secrets. */
const defectName = (cause: Cause.Cause<unknown>): string => {
  const defect = Cause.squash(cause)
  return defect instanceof Error ? defect.name : typeof defect
}

export const make = ({ concurrency, location, paused, scope, sink, timeout, ...limits }: Settings) =>
  Effect.gen(function* () {
    const stored = location === undefined ? undefined : yield* sinkState.load(location)
    const state = sinkState.make(sink.name, limits, stored, yield* Clock.currentTimeMillis)
    const slots = Effect.unsafeMakeSemaphore(concurrency)
    const saving = Effect.unsafeMakeSemaphore(1)
    /** Open if no notification is due, except those that wait for a retry. */
    const idle = Effect.unsafeMakeLatch(true)
    const workers = new Map<string, Worker>()
    const counts = { delivered: 0, failed: 0 }
    let lastError: { readonly message: string; readonly at: string } | undefined
    let busy = 0
    let version = 0
    let savedVersion = 0

    /** Saves the current state, once for all that wait for it. */
    const save: Effect.Effect<void, DeliveryStoreError> = Effect.suspend(() => {
      if (location === undefined) return Effect.void
      const required = version
      return saving.withPermits(1)(
        Effect.suspend(() => {
          if (savedVersion >= required) return Effect.void
          const current = version
          return Effect.map(sinkState.save(location, state.text()), () => {
            savedVersion = Math.max(savedVersion, current)
          })
        }),
      )
    })
    /** What is not saved now is saved with the next change. Until then, a restart would deliver it again. */
    const saveOrWarn = Effect.catchAll(save, (error) => Effect.logWarning(error.message))

    const setBusy = (by: 1 | -1): void => {
      busy += by
      if (busy === 0) idle.unsafeOpen()
      else idle.unsafeClose()
    }

    const fail = (message: string, now: number): void => {
      counts.failed += 1
      lastError = { message: toSingleLine(message, 500), at: new Date(now).toISOString() }
    }

    /** Sends the next notification of an event. Returns the error if it should be sent again. */
    const attempt = (key: string): Effect.Effect<Option.Option<RequestError | undefined>> =>
      // What the sink has accepted is recorded even if the scope closes meanwhile.
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const notification = state.begin(key, yield* Clock.currentTimeMillis)
          if (notification === undefined) return Option.none()
          const delivering = Effect.suspend(() => sink.deliver(notification))
          const exit = yield* Effect.exit(restore(Effect.timeoutOption(delivering, timeout)))
          const now = yield* Clock.currentTimeMillis
          version += 1
          if (Exit.isSuccess(exit) && Option.isSome(exit.value)) {
            state.succeed(key)
            counts.delivered += 1
            if (state.counts().retrying === 0) lastError = undefined
            return Option.none()
          }
          if (Exit.isSuccess(exit) || Cause.isInterrupted(exit.cause)) {
            const { interruptors } = yield* Effect.descriptor
            const problem = Exit.isSuccess(exit)
              ? `did not finish within ${Duration.format(timeout)}`
              : "was interrupted"
            // The scope interrupts the fiber when it closes, which is not a failure.
            if (HashSet.size(interruptors) === 0) fail(`The sink ${sink.name} ${problem}.`, now)
            state.postpone(key)
            return Option.some(undefined)
          }
          const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
          const message = error?.message ?? `The sink ${sink.name} has a defect: ${defectName(exit.cause)}.`
          fail(message, now)
          if (error?.retryable === true) {
            state.postpone(key)
            return Option.some(error)
          }
          state.giveUp(key, error === undefined ? "failed" : "refused", message, now)
          return Option.none()
        }),
      )

    /** The worker is busy at once, so that a flush waits for what was added. */
    const wakeUp = (worker: Worker): void => {
      if (worker.isAsleep) setBusy(1)
      worker.isAsleep = false
      worker.wake.unsafeOpen()
    }

    const sleep = (milliseconds: number, worker: Worker): Effect.Effect<void> =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          worker.isAsleep = true
          setBusy(-1)
        }),
        () => Effect.race(Effect.sleep(Math.min(milliseconds, maxSleep)), worker.wake.await),
        () => Effect.sync(() => wakeUp(worker)),
      )

    /** Delivers what waits for an event, then ends. */
    const work = (key: string, worker: Worker): Effect.Effect<void> =>
      Effect.gen(function* () {
        let failures = 0
        let retryAt = 0
        while (true) {
          const now = yield* Clock.currentTimeMillis
          // No fiber runs between these lines, so that no wake-up is lost.
          worker.wake.unsafeClose()
          const dueAt = state.dueAt(key)
          if (dueAt === undefined) return void workers.delete(key)
          const wait = Math.max(dueAt, retryAt) - now
          if (wait > 0) {
            yield* sleep(wait, worker)
            continue
          }
          const retry = yield* slots.withPermits(1)(attempt(key))
          failures = Option.isSome(retry) ? failures + 1 : 0
          if (Option.isSome(retry)) retryAt = (yield* Clock.currentTimeMillis) + (yield* delay(failures, retry.value))
          yield* saveOrWarn
        }
      })

    const start = (key: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (paused || state.dueAt(key) === undefined) return Effect.void
        const known = workers.get(key)
        if (known !== undefined) return Effect.sync(() => wakeUp(known))
        const worker = { wake: Effect.unsafeMakeLatch(false), isAsleep: false }
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
          if (state.accept(notification, notBefore, now)) version += 1
          return save
        }).pipe(Effect.ensuring(start(notification.key))),
      deadLetters: Effect.sync(state.deadLetters),
      resendDeadLetters: (ids: ReadonlySet<string>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const moved = state.requeue(ids, now)
          version += 1
          return save.pipe(
            Effect.ensuring(Effect.forEach(moved, ({ key }) => start(key), { discard: true })),
            Effect.as(moved.map(({ id }) => id)),
          )
        }),
      removeDeadLetters: (ids: ReadonlySet<string>) =>
        Effect.suspend(() => {
          state.removeDeadLetters(ids)
          version += 1
          return save
        }),
      /** Waits until every due notification was sent once. */
      flush: idle.await,
      save: saveOrWarn,
      status: Effect.sync(() => ({ sink: sink.name, ...counts, ...state.counts(), lastError })),
    }
  })

export type SinkQueue = Effect.Effect.Success<ReturnType<typeof make>>
