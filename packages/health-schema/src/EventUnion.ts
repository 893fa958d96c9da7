/** One event, as several subscriptions see it: each list tells of the impact on its own. */
import type * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import type * as Impact from "./Impact.js"
import { equal } from "./internal/equal.js"
import { pair, sameRegion, sameService } from "./internal/pairing.js"
import * as Timestamp from "./Timestamp.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>

/** Later first; what tells no time last. */
const latestFirst = Order.mapInput(
  Order.reverse(Option.getOrder(DateTime.Order)),
  (record: { readonly lastUpdateTime?: Timestamp.Timestamp | null | undefined }) =>
    Timestamp.instant(record.lastUpdateTime),
)

type List<A> = ReadonlyArray<A> | null | undefined

/** Both lists, what is the same in them once; nothing where there is none. */
const both = <A>(
  first: List<A>,
  second: List<A>,
  merge: (one: A, other: A) => A,
  ...same: ReadonlyArray<(one: A, other: A) => boolean>
): List<A> => {
  if (first === null || first === undefined) return second
  const { added, pairs } = pair(first, second ?? [], ...same)
  const merged = new Map(pairs.map(([one, other]) => [one, merge(one, other)]))
  return [...first.map((one) => merged.get(one) ?? one), ...added]
}

const kept = <A>(one: A): A => one

/** A field that neither has stays absent. */
const given = <K extends string, A>(name: K, value: A | undefined): { readonly [P in K]?: A } =>
  // A computed name is widened to any text: it is this one.
  value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: A })

const unionRegion = (one: AnyRegion, other: AnyRegion): AnyRegion => {
  const [later, earlier] = latestFirst(one, other) > 0 ? [other, one] : [one, other]
  return {
    ...earlier,
    ...later,
    ...given(
      "impactedSubscriptions",
      both(later.impactedSubscriptions, earlier.impactedSubscriptions, kept, Object.is),
    ),
    ...given("impactedTenants", both(later.impactedTenants, earlier.impactedTenants, kept, Object.is)),
    ...given("updates", both(later.updates, earlier.updates, kept, equal)),
  }
}

const unionService = (one: AnyImpact, other: AnyImpact): AnyImpact => ({
  ...other,
  ...one,
  ...given("impactedRegions", both(one.impactedRegions, other.impactedRegions, unionRegion, equal, sameRegion)),
})

/**
 * One event from its sightings: as the one that was updated last tells it (the first of those, where several were), with the
 * impact of all: every service and region that any of them names, once, with the subscriptions, the tenants and the updates
 * of all. A region that several name is as its own last update tells it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const of = <V extends ApiVersion.ApiVersion>(
  sightings: Arr.NonEmptyReadonlyArray<HealthEvent.HealthEvent<V>>,
): HealthEvent.HealthEvent<V> => {
  const events: ReadonlyArray<AnyEvent> = sightings
  const [latest = sightings[0], ...others] = events.toSorted(
    Order.mapInput(latestFirst, (event: AnyEvent) => event.properties ?? {}),
  )
  const impact = others.reduce<List<AnyImpact>>(
    (all, { properties }) => both(all, properties?.impact, unionService, equal, sameService),
    latest.properties?.impact,
  )
  const whole = latest.properties === null || latest.properties === undefined ? {} : latest.properties
  // The impact is of the version of the events that it was taken from.
  return { ...latest, properties: { ...whole, ...given("impact", impact) } } as HealthEvent.HealthEvent<V>
}
