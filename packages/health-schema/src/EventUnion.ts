/** Merges the copies of an event that the lists of several subscriptions contain, each with its own part of the impact. */
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import type * as ApiVersion from "./ApiVersion.js"
import * as HealthEvent from "./HealthEvent.js"
import { groupBy } from "./internal/canonical.js"
import { mergeImpact } from "./internal/mergeImpact.js"
import * as Timestamp from "./Timestamp.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

interface Updated {
  readonly lastUpdateTime?: Timestamp.Timestamp | null
}

const timeOf = ({ lastUpdateTime }: Updated): number =>
  Option.match(Timestamp.instant(lastUpdateTime), { onNone: () => -Infinity, onSome: DateTime.toEpochMillis })

/** The latest first; those without a time last. */
const byTime = Order.reverse(Order.number)

/**
 * Merges copies of one event. The copy with the latest `lastUpdateTime` (the first of several) gives every field except the impact. The
 * impact contains every service and region of all copies once, with the subscriptions, tenants and updates of all. A field of a
 * service is that of the latest event, and a field of a region that of the region's own latest update. Where it is empty (field notes,
 * "Payload oddities"), the next copy gives it.
 *
 * Names and identifiers are compared without regard to case. Services are the same if their `impactedServiceGuid` is the same. A
 * service without one is the same as the first service with its name that has one. Regions are the same by name. Services and
 * regions without a name are the same as others without one.
 * @category combinators
 * @since 0.1.0
 */
export const merge = <V extends ApiVersion.ApiVersion>(
  copies: Arr.NonEmptyReadonlyArray<HealthEvent.HealthEvent<V>>,
): HealthEvent.HealthEvent<V> => {
  const events: Arr.NonEmptyReadonlyArray<AnyEvent> = copies
  const [latest, ...others] = Arr.sortWith(events, ({ properties }) => timeOf(properties ?? {}), byTime)
  const lists = [latest, ...others].flatMap(({ properties }) => (properties?.impact ? [properties.impact] : []))
  const impact =
    lists.length === 0 ? {} : { impact: mergeImpact(lists, (regions) => Arr.sortWith(regions, timeOf, byTime)) }
  // The impact comes from events of version `V`.
  return { ...latest, properties: { ...latest.properties, ...impact } } as HealthEvent.HealthEvent<V>
}

/**
 * Merges the events that have the same tracking ID (`HealthEvent.trackingKey`), in the order in which they first appear. An event
 * without a tracking ID is merged by its `HealthEvent.recordKey`, and stays as it is if it has neither.
 * @category combinators
 * @since 0.1.0
 */
export const mergeByTrackingId = <V extends ApiVersion.ApiVersion>(
  events: Iterable<HealthEvent.HealthEvent<V>>,
): ReadonlyArray<HealthEvent.HealthEvent<V>> =>
  Array.from(
    groupBy(events, (event) => HealthEvent.trackingKey(event) ?? HealthEvent.recordKey(event) ?? event).values(),
    (copies) => (copies.length === 1 ? copies[0] : merge(copies)),
  )
