/** What happens to the events of a subscription, told as it happens. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Changes from "@vigil/health-schema/Changes"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import type * as Stream from "effect/Stream"
import type * as Listing from "./Listing.js"
import type { SubscriptionId } from "./SubscriptionId.js"

/**
 * An event that was not known. At the first reading these are all that there are.
 *
 * @category models
 * @since 0.1.0
 */
export interface Appeared<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly _tag: "Appeared"
  readonly event: HealthEvent.HealthEvent<V>
}

/** An event that is known, and differs. */
interface Changed<V extends ApiVersion.ApiVersion> {
  readonly event: HealthEvent.HealthEvent<V>
  readonly changes: Changes.Changes
}

/**
 * An event that differs from what was known of it, its status apart.
 *
 * @category models
 * @since 0.1.0
 */
export interface Updated<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Changed<V> {
  readonly _tag: "Updated"
}

/**
 * An event that is resolved, and was not.
 *
 * @category models
 * @since 0.1.0
 */
export interface Resolved<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Changed<V> {
  readonly _tag: "Resolved"
}

/**
 * An event that was resolved, and is not any more.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reopened<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Changed<V> {
  readonly _tag: "Reopened"
}

/**
 * An event that the list should have, and has not: its last update is not before the list's start. `event` is what was known
 * last. (One that is too old to be listed has not disappeared.)
 *
 * @category models
 * @since 0.1.0
 */
export interface Disappeared<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly _tag: "Disappeared"
  readonly event: HealthEvent.HealthEvent<V>
}

/**
 * What happened to an event.
 *
 * @category models
 * @since 0.1.0
 */
export type Change<V extends ApiVersion.ApiVersion = ApiVersion.Latest> =
  | Appeared<V>
  | Updated<V>
  | Resolved<V>
  | Reopened<V>
  | Disappeared<V>

/**
 * What is known can't be read or kept: the store failed (`unavailable`), what it holds is nothing that a watch wrote
 * (`unreadable`), or was written by a watch of another subscription or version (`other`). Begin anew by removing the key.
 *
 * @category errors
 * @since 0.1.0
 */
export class WatchStoreError extends Data.TaggedError("WatchStoreError")<{
  readonly key: string
  readonly reason: "unavailable" | "unreadable" | "other"
}> {
  override get message() {
    const key = JSON.stringify(this.key)
    if (this.reason === "unavailable")
      return `The store can't read or keep what is known under ${key}. Check the store.`
    const what = this.reason === "other" ? "is of another subscription or version" : "was not written by a watch"
    return `What the store holds under ${key} ${what}. Use another key, or remove this one to begin anew.`
  }
}

/**
 * What a watch fails with, unless `onFailure` is there to hear of it. A store that can't be read at the start ends it in any case: to go
 * on without what is known would be to tell all of it again.
 *
 * @category errors
 * @since 0.1.0
 */
export type WatchError = Listing.ListError | WatchStoreError

/**
 * How a subscription is watched.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<E, R> extends Listing.Query, Listing.Bounds, Listing.Tolerance<E, R> {
  /** When the list is read again, once what came of it is consumed. Default: 5 minutes after the last reading. */
  readonly schedule?: Schedule.Schedule<unknown> | undefined
  /**
   * How far each list reaches back before the last complete one, by the last updates of events. What is published with an
   * update older than that is missed. Default: 3 days, as the service's own lists (document, "Limits").
   */
  readonly lookback?: Duration.DurationInput | undefined
  /** Where what is known is kept. Default: in memory, for as long as the stream runs. */
  readonly store?: KeyValueStore.KeyValueStore | undefined
  /** Under which key. Watches that ask for different things need different keys. Default: `health-watch/` and the id. */
  readonly key?: string | undefined
  /** What to do about a reading that failed; then the watch goes on with the next. Without it, the stream fails. */
  readonly onFailure?: ((error: WatchError | E) => Effect.Effect<unknown, E, R>) | undefined
}

/**
 * Reads the list of a subscription again and again, and tells what is different. It begins with the first reading, goes on by
 * the schedule, and ends when that does.
 *
 * What was told is kept in the store: a change counts as told when the next one is asked for, and the store has it when the
 * reading, or the stream, ends. A watch that is started again goes on from there, and reaches back to before it was stopped. What
 * it told last is told **at least once**: again, when it was stopped before anything else was asked for, or killed before the store had it.
 *
 * An event is known by its `id`, else its `name`; it is known for as long as lists reach back to its last update, and while it is not
 * resolved. An event that is left out is gone when a second list, where the first had more than one page, leaves it out
 * as well: pages shift while they are read. While entries are no events and don't say which, nothing is gone.
 *
 * @category models
 * @since 0.1.0
 */
export interface Watch {
  <E = never, R = never>(
    subscription: SubscriptionId,
    options?: Listing.Newest<Options<E, R>>,
  ): Stream.Stream<Change, WatchError | E, R>
  <V extends ApiVersion.ApiVersion, E = never, R = never>(
    subscription: SubscriptionId,
    options: Listing.Of<V, Options<E, R>>,
  ): Stream.Stream<Change<V>, WatchError | E, R>
}
