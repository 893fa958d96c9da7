/** The events of many subscriptions: what became of each, and the same event seen from several of them as one. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventUnion from "@vigil/health-schema/EventUnion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Arr from "effect/Array"
import type * as Stream from "effect/Stream"
import type * as Listing from "./Listing.js"
import type { SubscriptionId } from "./SubscriptionId.js"

/** What was found, whether or not it is all. */
interface Found<V extends ApiVersion.ApiVersion> {
  readonly subscription: SubscriptionId
  readonly events: ReadonlyArray<HealthEvent.HealthEvent<V>>
  /** The entries that are no event. */
  readonly invalid: ReadonlyArray<EventsPage.Invalid>
}

/**
 * A subscription whose list was read to its end.
 *
 * @category models
 * @since 0.1.0
 */
export interface Listed<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Found<V> {
  readonly _tag: "Listed"
}

/**
 * A subscription whose list failed, with what was read of it before.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failed<V extends ApiVersion.ApiVersion = ApiVersion.Latest> extends Found<V> {
  readonly _tag: "Failed"
  /** Why it failed. */
  readonly error: Listing.PagesError
}

/**
 * What became of one subscription.
 *
 * @category models
 * @since 0.1.0
 */
export type Outcome<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = Listed<V> | Failed<V>

/**
 * How the lists are read: all by the same query. `maxPages` and `maxItems` are for each subscription.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Listing.SubscriptionQuery {
  /** How many subscriptions are read at once, a page of each at a time. Default: 8. */
  readonly concurrency?: number | undefined
  readonly maxPages?: number | undefined
  readonly maxItems?: number | undefined
}

/**
 * Reads the lists of many subscriptions, and tells what became of each, in the order in which they are done. It never fails:
 * a subscription that does is told of, and the others go on. The limits of the client (`rateLimit`, `concurrency`, the budget
 * of its retries) are for all of them together. A subscription's events are kept until its list is done.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sweep {
  (subscriptions: Iterable<SubscriptionId>, options?: Listing.Newest<Options>): Stream.Stream<Outcome>
  <V extends ApiVersion.ApiVersion>(
    subscriptions: Iterable<SubscriptionId>,
    options: Listing.Of<V, Options>,
  ): Stream.Stream<Outcome<V>>
}

/**
 * An event, and the subscriptions whose lists have it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Joined<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  /** What the lists say of it, joined by `EventUnion`. */
  readonly event: HealthEvent.HealthEvent<V>
  /** In the order of the outcomes. */
  readonly subscriptions: Arr.NonEmptyReadonlyArray<SubscriptionId>
}

/**
 * The events of all outcomes, of each one: the same event (by its tracking id, which is its `name`, without regard to case)
 * becomes one with the impact of all its sightings, by `EventUnion`. Events without a name are each their own. In the order in
 * which they were first seen; what failed is in the outcomes.
 *
 * @category combinators
 * @since 0.1.0
 */
export const join = <V extends ApiVersion.ApiVersion>(outcomes: Iterable<Outcome<V>>): ReadonlyArray<Joined<V>> => {
  type Sighting = readonly [HealthEvent.HealthEvent<V>, SubscriptionId]
  const sightings = new Map<unknown, Arr.NonEmptyArray<Sighting>>()
  for (const { events, subscription } of outcomes)
    for (const event of events) {
      // One without a name is known by nothing but itself.
      const key = HealthEvent.trackingKey(event) ?? event
      const known = sightings.get(key)
      if (known === undefined) sightings.set(key, [[event, subscription]])
      else known.push([event, subscription])
    }
  return [...sightings.values()].map((all) => {
    const [[event, first], ...others] = all
    const subscriptions = new Set(others.map(([, subscription]) => subscription))
    subscriptions.delete(first)
    return {
      event: others.length === 0 ? event : EventUnion.merge(Arr.map(all, ([sighting]) => sighting)),
      subscriptions: [first, ...subscriptions],
    }
  })
}
