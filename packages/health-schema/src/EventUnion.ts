/** One event, as several subscriptions see it: each list tells of the impact on its own. */
import type * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import { joinImpact } from "./internal/impactJoin.js"
import * as Timestamp from "./Timestamp.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/** What tells when it was updated last. */
interface Updated {
  readonly lastUpdateTime?: Timestamp.Timestamp | null | undefined
}

const byTime = Order.mapInput(Order.reverse(Order.number), ({ time }: { readonly time: number }) => time)

const timeOf = (text: Timestamp.Timestamp | null | undefined): number =>
  Option.match(Timestamp.instant(text), { onNone: () => -Infinity, onSome: DateTime.toEpochMillis })

/** The later first, what tells no time last, and else as they were. Most have the same text, which is read once. */
const latestFirst = <A>(all: ReadonlyArray<A>, updated: (one: A) => Updated): ReadonlyArray<A> => {
  if (all.length === 1) return all
  const times = new Map<Updated["lastUpdateTime"], number>()
  const timed = all.map((one) => {
    const text = updated(one).lastUpdateTime
    const time = times.get(text) ?? timeOf(text)
    times.set(text, time)
    return { one, time }
  })
  return timed.toSorted(byTime).map(({ one }) => one)
}

/**
 * One event from its sightings: as the one that was updated last tells it (the first of those, where several were), with the
 * impact of all: every service and region that any of them names, once, with the subscriptions, the tenants and the updates
 * of all. A region is as its own last update tells it, and a service as the event's last update does; what that does not
 * tell (`null` and empty texts are nothing told: field notes, "Payload oddities") is as the next one tells it.
 *
 * Names and identifiers are compared without regard to case. Services with the same `impactedServiceGuid` are the same, by
 * whatever name. One without an identifier is the same as the one with an identifier that the union calls by the same name
 * (the first of several), and else as those without an identifier that have its name. Regions are the same by name, and what
 * has no name is the same as what has none either.
 *
 * @category combinators
 * @since 0.1.0
 */
export const of = <V extends ApiVersion.ApiVersion>(
  sightings: Arr.NonEmptyReadonlyArray<HealthEvent.HealthEvent<V>>,
): HealthEvent.HealthEvent<V> => {
  const events: ReadonlyArray<AnyEvent> = latestFirst<AnyEvent>(sightings, ({ properties }) => properties ?? {})
  const [latest = sightings[0]] = events
  const lists = events.flatMap(({ properties }) => (properties?.impact ? [properties.impact] : []))
  const impact =
    lists.length === 0 ? {} : { impact: joinImpact(lists, (regions) => latestFirst(regions, (one) => one)) }
  // The impact is of the version of the events that it was taken from.
  return { ...latest, properties: { ...latest.properties, ...impact } } as HealthEvent.HealthEvent<V>
}
