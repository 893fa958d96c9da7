/** What happens to the events of a subscription, told as it happens. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Changes from "@vigil/health-schema/Changes"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as PlatformError from "@effect/platform/Error"
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import type * as Stream from "effect/Stream"
import type * as Listing from "./Listing.js"
import type { SubscriptionId } from "./SubscriptionId.js"

/**
 * An event that was not known. At the first reading these are all that the list has, which reaches `lookback` back.
 *
 * @category models
 * @since 0.1.0
 */
export interface Appeared<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly _tag: "Appeared"
  /** As the list has it. */
  readonly event: HealthEvent.HealthEvent<V>
}

/** An event that is known, and differs. */
interface Changed<V extends ApiVersion.ApiVersion> {
  readonly event: HealthEvent.HealthEvent<V>
  readonly changes: Changes.Changes
}

/**
 * An event that differs from what was known of it, and is resolved or not as it was.
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
 * last. One that is too old to be listed, or does not say when it was updated, has not disappeared.
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
 * (`unreadable`), or was written by a watch of another subscription, version or filter (`other`). Begin anew by removing the key.
 * `cause` is the store's own error, of one that is `unavailable`: it is in no message, and a watch gives the store no credential.
 *
 * @category errors
 * @since 0.1.0
 */
export class WatchStoreError extends Data.TaggedError("WatchStoreError")<{
  /** The key of the store: the option of this name, or the one by default. */
  readonly key: string
  /** Which of these it is. */
  readonly reason: "unavailable" | "unreadable" | "other"
  readonly cause?: PlatformError.PlatformError
}> {
  /** The name of the service: `health`. */
  get service(): string {
    return "health"
  }

  /** `true` if the store failed: it may work later. */
  get retryable(): boolean {
    return this.reason === "unavailable"
  }

  override get message() {
    const key = JSON.stringify(this.key)
    if (this.reason === "unavailable")
      return `The store can't read or keep what is known under ${key}. Check the store.`
    const what =
      this.reason === "other" ? "is of another subscription, version or filter" : "was not written by a watch"
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

/** What to do about a failure. */
type OnFailure<E, E2, R2> = (error: WatchError | E) => Effect.Effect<unknown, E2, R2>

/**
 * How a subscription is watched. `onInvalid` fails with `E` and needs `R`, `onFailure` fails with `E2` and needs `R2`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<E, R, E2 = never, R2 = never> extends Listing.Query, Listing.Bounds, Listing.Tolerance<E, R> {
  /** When the list is read again, once what came of it is consumed. Default: 5 minutes after the last reading. */
  readonly schedule?: Schedule.Schedule<unknown> | undefined
  /**
   * How far each list reaches back before the last complete one, by the last updates of events. What is published with an
   * update older than that is missed; lists reach back further for what may have been told. Default: 3 days, as the service's own
   * lists (document, "Limits").
   */
  readonly lookback?: Duration.DurationInput | undefined
  /**
   * How long a resolved event is known once lists don't reach back to its last update; what is published of it later is `Appeared`.
   * Never less than `lookback`. A clock that is set ahead by more forgets as well. Default: 30 days, as a final review may come within 14 days of mitigation (document, `eventTags`).
   */
  readonly retention?: Duration.DurationInput | undefined
  /**
   * How long to keep an unresolved event that no complete list contains. Bounds the state for services that never resolve events. The
   * event is then forgotten without a change; if the service publishes it again, it is `Appeared`. Counts from the first complete list
   * without it. Setting the clock ahead by more than this also forgets the event. Default: 90 days.
   */
  readonly unresolvedRetention?: Duration.DurationInput | undefined
  /**
   * Where what is known is kept, as one text. Default: in memory, for as long as the stream runs. A kill may leave a text half-written
   * where `set` is not atomic (`KeyValueStore.layerFileSystem`): the next watch then fails with `unreadable`. It holds the
   * events of the lists, and those within `retention` or `unresolvedRetention`.
   */
  readonly store?: KeyValueStore.KeyValueStore | undefined
  /** Under which key: one running watch for each. Watches that ask for different things need different keys. Default: `health-watch/` and the id. */
  readonly key?: string | undefined
  /**
   * What to do about a reading that failed; then the watch goes on with the next, or fails with what this fails with. Without it, the
   * stream fails. It never hears of a store that can't be read at the start: that is no reading, and fails the stream in any case.
   */
  readonly onFailure?: OnFailure<E, E2, R2> | undefined
}

/** Options of a watch that tells of its failures, and so fails with none of them, but of a store that can't be read at the start. */
interface Heard<E, R, E2, R2> extends Options<E, R, E2, R2> {
  readonly onFailure: OnFailure<E, E2, R2>
}

/**
 * Reads the list of a subscription again and again, and tells what is different. It begins with the first reading, goes on by
 * the schedule, and ends when that does. Handle changes one by one, in order: one counts as told when the next is asked for, so
 * that a consumer that takes several at once (`Stream.buffer`, `grouped`, `debounce`, `mergeAll`, `concurrency`) loses some when it is stopped.
 * To watch several subscriptions, run each watch on its own: `Effect.forEach(ids, (id) => Stream.runForEach(watch(id), handle), { concurrency: "unbounded" })`.
 *
 * What was told is kept in the store, so that a watch that is started again goes on from there, and reaches back to before it was
 * stopped. All changes added up are what the list has, wherever it was stopped or killed: before changes are told, the store has them
 * as told perhaps. So that this costs a write or two for each reading, not one for each page, a reading gathers changes until they are as many as the
 * events that are known, or the list ends or fails (then without those that went back to an older state: a list that is whole tells). What was told perhaps is told **at least once**: again when it is listed, with changes from
 * what was told surely, and `Disappeared` when it is not, even if it was never told. After a stop that is the last change; after a
 * kill, those that were gathered together.
 *
 * An event is known by its `id`, else its `name`, without regard to case. A resolved event is known for `retention`, an unresolved
 * one until no complete list has had it for `unresolvedRetention`. An event that is left out is gone when a second list, where the first had more than one page, leaves it out
 * as well: pages shift while they are read. While entries are no events and don't say which, nothing is gone; it
 * is when they have left the list within `retention`. An event that is nested more than 1,000 levels deep can't be kept, and is an invalid entry. A resolved event that does
 * not say when it was updated is forgotten once it is left out, and nothing is told of that: lists may not reach back to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Watch {
  <E = never, R = never, E2 = never, R2 = never>(
    subscription: SubscriptionId,
    options: Listing.Newest<Heard<E, R, E2, R2>>,
  ): Stream.Stream<Change, WatchStoreError | E2, R | R2>
  <V extends ApiVersion.ApiVersion, E = never, R = never, E2 = never, R2 = never>(
    subscription: SubscriptionId,
    options: Listing.Of<V, Heard<E, R, E2, R2>>,
  ): Stream.Stream<Change<V>, WatchStoreError | E2, R | R2>
  <E = never, R = never, E2 = never, R2 = never>(
    subscription: SubscriptionId,
    options?: Listing.Newest<Options<E, R, E2, R2>>,
  ): Stream.Stream<Change, WatchError | E | E2, R | R2>
  <V extends ApiVersion.ApiVersion, E = never, R = never, E2 = never, R2 = never>(
    subscription: SubscriptionId,
    options: Listing.Of<V, Options<E, R, E2, R2>>,
  ): Stream.Stream<Change<V>, WatchError | E | E2, R | R2>
}
