/** A stream of the changes of a subscription's events. */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
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
import { changes } from "./internal/watch.js"
import * as watchStore from "./internal/watchStore.js"
import { InvalidEvent } from "./InvalidEvent.js"
import type * as Listing from "./Listing.js"
import type { SubscriptionId } from "./SubscriptionId.js"

export type { Change } from "./internal/change.js"
export { WatchStoreError } from "./internal/watchStore.js"

/**
 * Errors of a watch without `onFailure`.
 * @category errors
 * @since 0.1.0
 */
export type WatchError = Listing.FetchError | InvalidEvent | watchStore.WatchStoreError

/**
 * Options of `watch`. `onInvalid` fails with `E` and needs `R`; `onFailure` fails with `E2` and needs `R2`.
 * @category models
 * @since 0.1.0
 */
export interface Options<
  V extends ApiVersion.ApiVersion = ApiVersion.Latest,
  E = never,
  R = never,
  E2 = never,
  R2 = never,
>
  extends
    Listing.Query<V>,
    Pick<Listing.PageOptions, "maxPages" | "prefetch">,
    Pick<Listing.EventOptions<E, R>, "onInvalid"> {
  /** When to poll again, after the changes are consumed; the watch ends with it. Default: 5 minutes after the last poll. */
  readonly schedule?: Schedule.Schedule<unknown> | undefined
  /**
   * How far each list reaches back before the last complete one, by the last updates of events. An event that is published with an
   * older update is missed. Lists reach back further for pending changes. Default: 3 days, as the service's own lists (document,
   * "Limits").
   */
  readonly lookback?: Duration.DurationInput | undefined
  /**
   * How long to keep a resolved event after lists no longer reach its last update. A later version of it is `Appeared`. At least
   * `lookback`. Setting the clock ahead by more than this also forgets the event. Default: 30 days, because a final review may follow
   * within 14 days of mitigation (document, `eventTags`).
   */
  readonly retention?: Duration.DurationInput | undefined
  /**
   * How long to keep an unresolved event that no complete list contains. Bounds the state for services that never resolve events. The
   * event is then forgotten without a change; if the service publishes it again, it is `Appeared`. Counts from the first complete list
   * without it. Setting the clock ahead by more than this also forgets the event. Default: 90 days.
   */
  readonly unresolvedRetention?: Duration.DurationInput | undefined
  /**
   * Where to keep the state, as one text that contains every known event. If `set` is not atomic (`KeyValueStore.layerFileSystem`), a
   * kill may leave half of it, and the next watch fails with `unreadable`. Default: in memory, while the stream runs.
   */
  readonly store?: KeyValueStore.KeyValueStore | undefined
  /** The key in the store. Watches that run at once, or list different events, need different keys. Default: `health-watch/` and the ID. */
  readonly key?: string | undefined
  /**
   * Runs if a poll fails; the watch then goes on with the next. Does not run if the state cannot be loaded: starting without it would
   * emit every change again. Default: the watch fails.
   */
  readonly onFailure?: ((error: WatchError | E) => Effect.Effect<unknown, E2, R2>) | undefined
}

/**
 * Emits the changes of a subscription's events. Lists the events again and again: at once, then by `schedule`; ends when the schedule
 * does. A poll reads the whole list before it emits changes. If it fails, it emits the changes that it has read, and then fails.
 *
 * Handle changes one by one, in order. A change counts as delivered when the consumer asks for the next one. A consumer that takes
 * several at once (`Stream.buffer`, `grouped`, `debounce`, `mergeAll`, `concurrency`) loses some when it stops. To watch several
 * subscriptions, run each watch on its own:
 * `Effect.forEach(ids, (id) => Stream.runForEach(watch(id), handle), { concurrency: "unbounded" })`.
 *
 * With a store, a new watch resumes where the last one stopped, and reaches back to then. It delivers every change **at least once**:
 * pending changes are emitted again, as the difference to the delivered state, or as `Disappeared` if the event is gone. After a stop,
 * only the last emitted change is pending; after a kill, all changes of the poll. The store is written before the first change of a
 * poll and after the last.
 *
 * Events are the same if their `id` is, or their `name` if they have no `id`, without regard to case. If a list of several pages lacks
 * an event, the list is read again, because pages may shift, and only then the event has disappeared. An invalid entry with an `id`
 * or `name` keeps its event from disappearing; an entry without either keeps all events, at most for `retention`. A resolved
 * event without an update time is forgotten without a change when a list lacks it. An event that is nested more than 1,000 levels deep
 * cannot be stored, and is an invalid entry.
 *
 * Fails with `WatchError`, or only with `WatchStoreError` and the errors of `onFailure` if that is set. (These are two overloads because
 * an optional `onFailure` may be `undefined`: one signature could not leave the other errors out safely.)
 * @category streams
 * @since 0.1.0
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
    lookback = Duration.days(Limits.defaultDaysBack),
    maxPages,
    onFailure,
    onInvalid,
    prefetch,
    retention = Duration.days(30),
    schedule = Schedule.spaced(Duration.minutes(5)),
    store,
    unresolvedRetention = Duration.days(90),
  }: Options<V, E, R, E2, R2> = {},
): Stream.Stream<Change<NoInfer<V>>, WatchError | E | E2, R | R2 | HealthClient> {
  const apiVersion = versionOf(version)
  const place = store && { store, key, subscription, apiVersion, filter: Filter.render(filter) }
  return Stream.unwrap(
    Effect.gen(function* () {
      const { pagesBySubscription } = yield* HealthClient
      const state = place === undefined ? watchStore.empty : yield* watchStore.load(place)
      const list = (queryStartTime: DateTime.Utc) =>
        // Only a call with `from` or with a text as the start time fails with these.
        Stream.catchTags(
          pagesBySubscription(subscription, { apiVersion, filter, maxPages, prefetch, queryStartTime }),
          {
            CheckpointMismatch: Stream.die,
            InvalidQuery: Stream.die,
          },
        )
      const report = (entry: EventsPage.Invalid): Effect.Effect<unknown, InvalidEvent | E, R> => {
        const error = new InvalidEvent({ ...entry, operation: "Watch.watch" })
        return onInvalid === undefined ? error : onInvalid(error)
      }
      const span = Duration.toMillis(lookback)
      return changes({
        list,
        report,
        onFailure,
        schedule,
        place,
        state,
        lookback: span,
        retention: Math.max(span, Duration.toMillis(retention)),
        unresolvedRetention: Duration.toMillis(unresolvedRetention),
      })
    }),
  )
}
