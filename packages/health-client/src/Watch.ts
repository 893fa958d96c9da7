/**
 * Watches the events of a subscription: calls a handler for each change, and stores what was handled.
 *
 * - `run` polls by a schedule, with its state in a `KeyValueStore`.
 * - `feed` is for programs with a loop or a database of their own: see `Feed`.
 */
import type { RequestError } from "@vigil/core-http/RequestError"
import type { ApiVersion, Default } from "@vigil/health-schema/ApiVersion"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { KeyValueStore } from "effect/persistence/KeyValueStore"
import { HealthClient } from "./HealthClient.js"
import { InvalidEvent } from "./InvalidEvent.js"
import type { PageLoop } from "./PagingError.js"
import type * as Query from "./Query.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import type { WatchStoreError } from "./WatchStore.js"
import type { Change } from "./internal/change.js"
import type { State } from "./internal/state.js"
import * as Feed from "./Feed.js"
import * as states from "./internal/state.js"
import * as stateJson from "./internal/stateJson.js"
import { keysOf } from "./internal/stateKeys.js"
import * as steps from "./internal/step.js"
import { guard } from "./internal/tooDeep.js"

export type { Change } from "./internal/change.js"
export type { State } from "./internal/state.js"
export type { Page, Times } from "./internal/step.js"

/** Options of `feed`. @category models @since 0.3.0 */
export interface FeedOptions<V extends ApiVersion, E, R> extends Query.Query<V> {
  /** Returns the complete list since a time. Runs again if there are several pages and a known event is missing, because pages may have shifted. */
  readonly read: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<steps.Page<V>>, E, R>
  /** Returns how to poll a state. Default: as `Times` says. */
  readonly times?: ((state: State<V>, now: DateTime.Utc) => Omit<steps.Times, "now">) | undefined
}

/**
 * Makes the feed of the events of a subscription, for loops and stores of your own: see `Feed`. The changes of a poll are in the order of the last
 * updates, and those that disappeared come last. A poll fails with `WatchStoreError` if an event is nested too deep.
 * @category constructors @since 0.3.0
 */
export const feed = <E, R, const V extends ApiVersion = Default>(
  subscription: SubscriptionId,
  { read, times = () => ({}), ...query }: FeedOptions<V, E, R>,
): Feed.Feed<State<V>, Change<V>, E | WatchStoreError, R> => {
  const list = states.listOf(subscription, query)
  return {
    subscription,
    span: "Watch.poll",
    empty: (now) => states.empty(list, now),
    poll: (known, now) =>
      Effect.gen(function* () {
        const options = { ...times(known, now), now }
        const since = steps.since(known, options)
        const first = yield* read(since)
        const isPartial = yield* guard(() => steps.needsSecondRead(known, first, options))
        const second = isPartial ? yield* read(since) : []
        const { changes, state } = yield* guard(() => steps.step(known, [...first, ...second], options))
        return { changes, state, invalid: first.flatMap(({ invalid }) => invalid) }
      }),
    encode: stateJson.encode,
    decode: (text) => stateJson.decode(text, list),
  }
}

/** Why a poll failed. @category errors @since 0.2.0 */
export type WatchError = RequestError | PageLoop | InvalidEvent | WatchStoreError

/** Options of `run`. `E`: the error of the handler. @category models @since 0.2.0 */
export interface Options<V extends ApiVersion = Default, E = never>
  extends Query.Query<V>, Pick<steps.Times, "baseline" | "lookback"> {
  /** When to poll again, after the changes are handled. The watch ends with the schedule. Default: 5 minutes after the last poll. */
  readonly schedule?: Schedule.Schedule<unknown> | undefined
  /** How many events to handle changes of at once. The changes of one event are handled in order. Default: 1. */
  readonly concurrency?: number | "unbounded" | undefined
  /**
   * When to call the handler again for a change that it failed to handle. After the last retry, the watch fails, and the next run begins with this
   * change. Default: no retries.
   */
  readonly retry?: Schedule.Schedule<unknown, NoInfer<E>> | undefined
  /** Without `onFailure`, the watch fails if a poll fails. */
  readonly onFailure?: undefined
}

/** Options of a watch that continues after a failed poll. `E2`, `R2`: those of `onFailure`. @category models @since 0.2.0 */
export interface ContinuingOptions<V extends ApiVersion = Default, E = never, E2 = never, R2 = never> extends Omit<
  Options<V, E>,
  "onFailure"
> {
  /**
   * Runs if a poll fails, and for each invalid entry of a list; not if the handler fails. The watch then continues: after an invalid entry with
   * the other events, otherwise with the next poll.
   */
  readonly onFailure: (error: WatchError) => Effect.Effect<unknown, E2, R2>
}

/**
 * Polls the events of a subscription and calls a handler for each change, which is stored as handled after its handler has succeeded. Lists
 * the events at once, then by `schedule`. The changes of a poll are in the order of the last updates, and those that disappeared come last.
 *
 * The state is stored by service, subscription and filter, so that one store holds any number of watches. To run two watches of one
 * list, also of two API versions, give them stores with different prefixes (`KeyValueStore.prefix`).
 *
 * A watch of another API version continues: its first poll compares each known event in the fields that both versions of the event have. An
 * event of a type that only the earlier version has is kept, and does not disappear.
 *
 * All changes of a poll are stored as pending before the first handler runs. A new run begins with the pending changes, so each change is
 * handled **at least once**: after a stop or a failure, only those whose handler did not end are handled again; after a kill, also those of the
 * last second.
 *
 * Fails with the error of the handler, and without `onFailure` with `WatchError`. A state that cannot be loaded, and a new one that cannot
 * be saved, always fail the watch.
 * @category running @since 0.2.0
 */
export function run<const V extends ApiVersion = Default, E = never, R = never>(
  subscription: SubscriptionId,
  handler: (change: Change<NoInfer<V>>) => Effect.Effect<unknown, E, R>,
  options?: Options<V, E>,
): Effect.Effect<void, E | WatchError, R | HealthClient | KeyValueStore>
export function run<const V extends ApiVersion = Default, E = never, R = never, E2 = never, R2 = never>(
  subscription: SubscriptionId,
  handler: (change: Change<NoInfer<V>>) => Effect.Effect<unknown, E, R>,
  options: ContinuingOptions<V, E, E2, R2>,
): Effect.Effect<void, E | E2 | WatchStoreError, R | R2 | HealthClient | KeyValueStore>
export function run<V extends ApiVersion, E, R, E2, R2>(
  subscription: SubscriptionId,
  handler: (change: Change<V>) => Effect.Effect<unknown, E, R>,
  {
    baseline,
    concurrency,
    lookback,
    onFailure,
    retry,
    schedule,
    ...query
  }: Options<V, E> | ContinuingOptions<V, E, E2, R2> = {},
): Effect.Effect<void, E | E2 | WatchError, R | R2 | HealthClient | KeyValueStore> {
  return Effect.gen(function* () {
    const { key, pagesBySubscription } = yield* HealthClient
    const onError = (error: WatchError): Effect.Effect<unknown, WatchError | E2, R2> =>
      onFailure === undefined ? Effect.fail(error) : onFailure(error)
    const read = (queryStartTime: DateTime.Utc) =>
      Stream.runCollect(pagesBySubscription(subscription, { ...query, queryStartTime }))
    yield* Feed.run(feed(subscription, { ...query, read, times: () => ({ lookback, baseline }) }), handler, {
      ...keysOf(key, states.listOf(subscription, query)),
      concurrency,
      retry,
      schedule,
      onFailure: onError,
      onInvalid: (entry) => onError(new InvalidEvent({ ...entry, operation: "Watch.run" })),
    })
  })
}
