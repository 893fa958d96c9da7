/** Merges the copies of an event from the lists of several subscriptions. */
import * as Arr from "effect/Array"
import type * as ApiVersion from "./ApiVersion.js"
import * as HealthEvent from "./HealthEvent.js"
import { groupBy } from "./internal/canonical.js"
import { mergeImpact } from "./internal/mergeImpact.js"
import * as Timestamp from "./Timestamp.js"

/**
 * Merges copies of one event. Fields come from the copy with the latest `lastUpdateTime`; the impact has the services, regions,
 * subscriptions, tenants and updates of all copies. Fields of a region come from its own latest update. Empty fields of services and regions
 * come from the next copy.
 *
 * Services are the same by `impactedServiceGuid`, or by name if one has none. Regions are the same by name. Case is ignored.
 * @category combinators @since 0.1.0
 */
export const merge = <V extends ApiVersion.ApiVersion>(
  copies: Arr.NonEmptyReadonlyArray<HealthEvent.HealthEvent<V>>,
): HealthEvent.HealthEvent<V> => {
  const events: Arr.NonEmptyReadonlyArray<HealthEvent.AnyEvent> = copies
  const [latest, ...others] = Arr.sortWith(
    events,
    ({ properties }) => properties?.lastUpdateTime,
    Timestamp.latestFirst,
  )
  const lists = [latest, ...others].flatMap(({ properties }) => (properties?.impact ? [properties.impact] : []))
  const impact = mergeImpact(lists, (regions) =>
    Arr.sortWith(regions, ({ lastUpdateTime }) => lastUpdateTime, Timestamp.latestFirst),
  )
  const merged = lists.length === 0 ? latest : { ...latest, properties: { ...latest.properties, impact } }
  // The impact comes from events of version `V`.
  return merged as HealthEvent.HealthEvent<V>
}

/**
 * Merges events with the same `HealthEvent.eventKey`, in the order of their first appearance. Events without a key stay unchanged.
 * @category combinators @since 0.1.0
 */
export const mergeByTrackingId = <V extends ApiVersion.ApiVersion>(
  events: Iterable<HealthEvent.HealthEvent<V>>,
): ReadonlyArray<HealthEvent.HealthEvent<V>> =>
  Array.from(groupBy(events, (event) => HealthEvent.eventKey(event) ?? event).values(), (copies) =>
    copies.length === 1 ? copies[0] : merge(copies),
  )
