/** Watches the events of a subscription and streams their changes. */
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Limits from "@vigil/health-schema/Limits"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Filter from "./Filter.js"
import { HealthClient } from "./HealthClient.js"
import type { Change } from "./internal/change.js"
import { versionOf } from "./internal/versionOf.js"
import { isSince } from "./internal/startTime.js"
import { changes } from "./internal/watch.js"
import * as watchStore from "./internal/watchStore.js"
import { InvalidEvent } from "./InvalidEvent.js"
import type * as Listing from "./Listing.js"
import type { SubscriptionId } from "./SubscriptionId.js"

export type { Change } from "./internal/change.js"
export { WatchStoreError } from "./internal/watchStore.js"

/** Errors of a watch without `onFailure`. @category errors @since 0.1.0 */
export type WatchError = Listing.FetchError | InvalidEvent | watchStore.WatchStoreError

/** Options of `watch`. `E`, `R`: error and requirements of `onInvalid`. `E2`, `R2`: those of `onFailure`. @category models @since 0.1.0 */
export interface Options<
  V extends ApiVersion.ApiVersion = ApiVersion.Latest,
  E = never,
  R = never,
  E2 = never,
  R2 = never,
>
  extends Listing.Query<V>, Listing.Limits {
  /** Runs for an invalid entry; the poll then continues. Default: the poll fails with the error. */
  readonly onInvalid?: ((error: InvalidEvent) => Effect.Effect<unknown, E, R>) | undefined
  /**
   * Lists events, for example from pages that you have already read. The list reaches back at least to `since`; events with an earlier update
   * time are ignored. Default: `pagesBySubscription` of the client, with `filter` and `maxPages`.
   */
  readonly list?: ((since: DateTime.Utc) => Stream.Stream<Listing.EventPage<V>, Listing.FetchError>) | undefined
  /** When to poll again, after the changes are consumed. The watch ends with the schedule. Default: 5 minutes after the last poll. */
  readonly schedule?: Schedule.Schedule<unknown> | undefined
  /**
   * How far each list reaches back before the last complete list, by update time. Events published with an older update time are missed.
   * Default: 3 days, as the lists of the service.
   */
  readonly lookback?: Duration.Input | undefined
  /**
   * How long to keep a resolved event after lists no longer reach its last update. A later update of it is `Appeared`. At least `lookback`.
   * Default: 30 days, because a final review may follow within 14 days of mitigation.
   */
  readonly retention?: Duration.Input | undefined
  /**
   * How long to keep an unresolved event that no complete list contains, from the first such list. It is then removed without a change, and
   * is `Appeared` if it returns. Default: 90 days.
   */
  readonly unresolvedRetention?: Duration.Input | undefined
  /**
   * Stores the state as one text. Without atomic writes (`KeyValueStore.layerFileSystem`), a kill may leave it `unreadable`. Default: in
   * memory.
   */
  readonly store?: KeyValueStore.KeyValueStore | undefined
  /** The key in the store, unique per watch. Default: `health-watch/` and the subscription ID. */
  readonly key?: string | undefined
  /** Runs if a poll fails; the watch then continues. A state that cannot be loaded always fails the watch. Default: the watch fails. */
  readonly onFailure?: ((error: WatchError | E) => Effect.Effect<unknown, E2, R2>) | undefined
}

const selectPages =
  <V extends ApiVersion.ApiVersion>(list: NonNullable<Options<V>["list"]>): typeof list =>
  (since) =>
    Stream.map(list(since), (page) => ({ ...page, items: page.items.filter((event) => isSince(event, since)) }))

/**
 * Streams the changes of a subscription's events. Lists the events at once, then by `schedule`. A poll reads the whole list before it emits
 * changes; if it fails, it first emits the changes that it has read.
 *
 * Handle changes one by one: a change counts as delivered when the consumer pulls the next one. Operators that pull ahead (`Stream.buffer`,
 * `grouped`, `mergeAll`, `concurrency`) lose changes when they stop.
 *
 * With a store, a new watch resumes where the last one stopped and delivers changes **at least once**. Pending changes are emitted again:
 * the last one after a stop, all changes of the poll after a kill.
 *
 * Events are identified by `HealthEvent.recordKey`. If a list of several pages lacks an event, it is read again before the event is
 * `Disappeared`, because pages may shift. An invalid entry keeps its event; one without `id` and `name` keeps all events, at most for
 * `retention`.
 *
 * Fails with `WatchError`; with `onFailure`, only with `WatchStoreError` and the errors of `onFailure`.
 * @category streams @since 0.1.0
 */
export function watch<
  const V extends ApiVersion.ApiVersion = ApiVersion.Latest,
  E = never,
  R = never,
  E2 = never,
  R2 = never,
>(
  subscription: SubscriptionId,
  options: Options<V, E, R, E2, R2> & { readonly onFailure: (error: WatchError | E) => Effect.Effect<unknown, E2, R2> },
): Stream.Stream<Change<NoInfer<V>>, watchStore.WatchStoreError | E2, R | R2 | HealthClient>
export function watch<
  const V extends ApiVersion.ApiVersion = ApiVersion.Latest,
  E = never,
  R = never,
  E2 = never,
  R2 = never,
>(
  subscription: SubscriptionId,
  options?: Options<V, E, R, E2, R2>,
): Stream.Stream<Change<NoInfer<V>>, WatchError | E | E2, R | R2 | HealthClient>
export function watch<V extends ApiVersion.ApiVersion, E, R, E2, R2>(
  subscription: SubscriptionId,
  {
    apiVersion: version,
    filter = "",
    key = `health-watch/${subscription}`,
    list,
    lookback = Duration.days(Limits.defaultDaysBack),
    maxPages,
    onFailure,
    onInvalid,
    retention = Duration.days(30),
    schedule = Schedule.spaced(Duration.minutes(5)),
    store,
    unresolvedRetention = Duration.days(90),
  }: Options<V, E, R, E2, R2> = {},
): Stream.Stream<Change<NoInfer<V>>, WatchError | E | E2, R | R2 | HealthClient> {
  const apiVersion = versionOf(version)
  const location = store && { store, key, subscription, apiVersion, filter: Filter.render(filter) }
  return Stream.unwrap(
    Effect.gen(function* () {
      const { pagesBySubscription } = yield* HealthClient
      const state = location === undefined ? watchStore.empty : yield* watchStore.load(location)
      const listPages = (queryStartTime: DateTime.Utc) =>
        pagesBySubscription(subscription, { apiVersion, filter, maxPages, queryStartTime })
      const report = (entry: EventsPage.InvalidEntry): Effect.Effect<unknown, InvalidEvent | E, R> => {
        const error = new InvalidEvent({ ...entry, operation: "Watch.watch" })
        return onInvalid === undefined ? error : onInvalid(error)
      }
      const span = Duration.toMillis(lookback)
      return changes({
        list: list === undefined ? listPages : selectPages(list),
        report,
        onFailure,
        schedule,
        location,
        key,
        state,
        lookback: span,
        retention: Math.max(span, Duration.toMillis(retention)),
        unresolvedRetention: Duration.toMillis(unresolvedRetention),
      })
    }),
  )
}
