/** Delivers notifications to sinks: in order per event, with retries, and over restarts. */
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { DeadLetter } from "./DeadLetter.js"
import type { DeliveryStoreError } from "./DeliveryStoreError.js"
import * as repeatEvery from "./internal/repeatEvery.js"
import * as sinkQueue from "./internal/sinkQueue.js"
import * as sinkState from "./internal/sinkState.js"
import * as sinkStore from "./internal/sinkStore.js"
import type { Notification } from "./Notification.js"
import * as Routes from "./Routes.js"
import type { Sink } from "./Sink.js"

/** Options of `make`. @category models @since 0.1.0 */
export interface Options {
  /** All sinks, with distinct names. */
  readonly sinks: ReadonlyArray<Sink>
  /** Selects the sinks of each notification. Default: all sinks get all notifications. */
  readonly routes?: Routes.Routes | undefined
  /**
   * Stores one text per sink, under `delivery/<sink>`, and beside a large one its last changes, under `delivery-changes/<sink>`. Without atomic writes (`KeyValueStore.layerFileSystem`), a kill may leave a text `unreadable`. Only one delivery
   * at a time may use it. Default: in memory.
   */
  readonly store?: KeyValueStore.KeyValueStore | undefined
  /** How many events to deliver at once, per sink. Default: 4. */
  readonly concurrency?: number | undefined
  /** Accepts and stores notifications, but sends none, for example to list dead letters. Default: `false`. */
  readonly paused?: boolean | undefined
}

/** What happened to the notifications of a sink since the delivery was made. @category models @since 0.1.0 */
export interface SinkStatus {
  readonly sink: string
  /** How many messages wait now: at most one per event. */
  readonly pending: number
  /** How many of them wait for a retry. */
  readonly retrying: number
  /** How many notifications were delivered. */
  readonly delivered: number
  /** How many attempts failed. */
  readonly failed: number
  /** How many notifications were moved to the dead letters. */
  readonly deadLettered: number
  /** The error of the last failed attempt, and its time as ISO 8601 in UTC. Cleared by a success, unless other events wait for a retry. */
  readonly lastError: { readonly message: string; readonly at: string } | undefined
  /** Why the state of the sink could not be stored, and since when it was tried last. Notifications are sent all the same. */
  readonly storeError: { readonly message: string; readonly at: string } | undefined
}

/** @category models @since 0.1.0 */
export interface Service {
  /**
   * Accepts a notification: returns when it is stored for its sinks. Ignores a repeated notification, unless its event was different meanwhile.
   */
  readonly deliver: (notification: Notification) => Effect.Effect<void, DeliveryStoreError>
  /** Sends openings that wait for others, and waits until every due notification was sent, successfully or not. Others are held back, or wait for a retry. */
  readonly flush: Effect.Effect<void>
  /** One entry per sink, in the order of the options. */
  readonly status: Effect.Effect<ReadonlyArray<SinkStatus>>
  /** Lists the notifications that will not be delivered, by sink, the oldest first. */
  readonly deadLetters: Effect.Effect<ReadonlyArray<DeadLetter>>
  /**
   * Sends the dead letters of a sink with these IDs of notifications again, in the background. Skips those of an event that has a later
   * notification. What the sink refuses again is a dead letter again. Returns the IDs of those that it sends.
   */
  readonly resendDeadLetters: (
    sink: string,
    ids: Iterable<string>,
  ) => Effect.Effect<ReadonlyArray<string>, DeliveryStoreError>
  /** Removes the dead letters of a sink with these IDs of notifications. */
  readonly removeDeadLetters: (sink: string, ids: Iterable<string>) => Effect.Effect<void, DeliveryStoreError>
}

/** The tag of the delivery. @category tags @since 0.4.0 */
export class Delivery extends Context.Service<Delivery, Service>()("@vigil/notify/Delivery") {}

const checkSettings = Effect.fnUntraced(function* ({ concurrency = 1, routes, sinks }: Options) {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    return yield* new InvalidSetting({ setting: "concurrency", expected: "a whole number of 1 or more" })
  for (const sink of sinks) yield* repeatEvery.parse(sink.repeatEvery)
  yield* Routes.checkSinks(routes, sinks)
})

/** Names what the store has for sinks that do not exist, for example because they were renamed. */
const warnOfOthers = (store: KeyValueStore.KeyValueStore, sinks: ReadonlyArray<Sink>) =>
  Effect.gen(function* () {
    const own = new Set(sinks.map(({ name }) => name))
    for (const sink of (yield* sinkStore.sinksIn(store)).filter((name) => !own.has(name))) {
      const { deadLetters, events } = yield* sinkStore.load({ store, sink })
      const waiting = events.filter((event) =>
        sinkState.notifications(event).some(({ state }) => state !== "summary"),
      ).length
      const [name, key] = [sink, sinkStore.keyOf(sink)].map((text) => JSON.stringify(text))
      if (waiting + deadLetters.length > 0)
        yield* Effect.logWarning(
          `The sink ${name} does not exist, but its notifications (${waiting}) and dead letters (${deadLetters.length}) are stored. To send them, give a sink this name. To discard them, remove ${key} from the store.`,
        )
    }
  }).pipe(Effect.ignore)

/**
 * Makes a delivery. It first continues with the notifications in the store. When the scope closes, it waits up to 10 seconds for due notifications.
 *
 * Sinks and events do not wait for each other. Notifications of an event are delivered in order. A failed one is sent again after 1 second to 5
 * minutes, for as long as `isRetryable` of its error is `true`; otherwise it is moved to the dead letters. Until a sink accepts it, at most one later
 * notification of the event waits: later ones are joined, so that a resolution replaces everything before it. Any number of events may wait. A sink
 * keeps 1,000 dead letters. The clock of the system may step: waits end in time. A sink that takes longer than 10 minutes, with its own retries, is interrupted and gets the notification again.
 *
 * Each stored notification is sent until the sink accepts it, a later one replaces it, or it becomes a dead letter. A notification
 * with the same `id` is delivered again only if the process stopped before it was recorded, if an attempt failed although the sink had accepted it, or
 * if the sink sets `repeatEvery`.
 *
 * A sink that is new gets one notification with the state `summary` if several events open within 10 seconds of each other. A later change of each is sent
 * as usual. Openings that routes hold back or group are joined as well. Sinks with `keepsEvents` or `repeatEvery` get each opening.
 *
 * A sink with `repeatEvery` gets the last notification of each open event again, for at most 30 days. A repeat is in no count of the status.
 *
 * Fails with `InvalidSetting` if an option is invalid, or if a sink of the routes is missing.
 * @category constructors @since 0.1.0
 */
export const make = (options: Options): Effect.Effect<Service, DeliveryStoreError | InvalidSetting, Scope.Scope> =>
  Effect.gen(function* () {
    yield* checkSettings(options)
    const { concurrency = 4, paused = false, routes, sinks, store } = options
    const workers = yield* Scope.make()
    const queues = new Map<string, sinkQueue.SinkQueue>()
    const forEachQueue = <A, E>(run: (queue: sinkQueue.SinkQueue) => Effect.Effect<A, E>) =>
      Effect.suspend(() => Effect.forEach(queues.values(), run, { concurrency: "unbounded" }))
    const flush = Effect.asVoid(forEachQueue(({ flush }) => flush))
    // In a fiber of its own, because an interrupted fiber ends every interruptible effect at once.
    const lastFlush = Effect.forkDetach(Effect.interruptible(Effect.timeoutOption(flush, "10 seconds")))
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(lastFlush, Fiber.await).pipe(
        Effect.andThen(Scope.close(workers, Exit.void)),
        Effect.andThen(forEachQueue(({ save }) => save)),
      ),
    )
    if (store !== undefined) yield* warnOfOthers(store, sinks)
    for (const sink of sinks)
      queues.set(sink.name, yield* sinkQueue.make({ concurrency, sink, store, paused, scope: workers }))

    const decide = (notification: Notification, now: DateTime.Utc): ReadonlyArray<Routes.Decision> =>
      routes === undefined
        ? sinks.map(({ name }) => ({ sink: name, action: "deliver" }))
        : Routes.sinksFor(routes, notification, now, (sink) => queues.get(sink)?.openLevel(notification.key))

    return {
      deliver: Effect.fnUntraced(function* (notification) {
        const decisions = decide(notification, yield* DateTime.now)
        const accept = (decision: Routes.Decision) =>
          queues.get(decision.sink)?.accept(notification, decision) ?? Effect.void
        yield* Effect.forEach(decisions, accept, { concurrency: "unbounded", discard: true })
      }),
      flush,
      status: forEachQueue(({ status }) => status),
      deadLetters: Effect.map(
        forEachQueue(({ deadLetters }) => deadLetters),
        (lists) => lists.flat(),
      ),
      resendDeadLetters: (sink, ids) => queues.get(sink)?.resendDeadLetters(new Set(ids)) ?? Effect.succeed([]),
      removeDeadLetters: (sink, ids) => queues.get(sink)?.removeDeadLetters(new Set(ids)) ?? Effect.void,
    }
  })

/** Provides the delivery; see `make`. @category layers @since 0.4.0 */
export const layer = (options: Options): Layer.Layer<Delivery, DeliveryStoreError | InvalidSetting> =>
  Layer.effect(Delivery, make(options))
