/** Questions that are often asked of an event: when it had an impact, and on what. */
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import type * as Impact from "./Impact.js"
import * as Interval from "./Interval.js"
import * as OpenEnum from "./OpenEnum.js"
import * as Timestamp from "./Timestamp.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>

/**
 * The impact on one service in one region. `service` and `region` are empty where the event does not name them; `None` as
 * interval means that the event does not tell when.
 *
 * @category models
 * @since 0.1.0
 */
export interface RegionImpact {
  readonly service: string
  readonly region: string
  readonly interval: Option.Option<Interval.Interval>
}

const firstSome = <A>(...options: ReadonlyArray<Option.Option<A>>): Option.Option<A> => Option.firstSomeOf(options)

/** When something with this status ended: when it was mitigated, else, if it is resolved, when it was last updated. */
const endOf = (
  status: AnyRegion["status"],
  mitigation: Option.Option<DateTime.Utc>,
  lastUpdate: Option.Option<DateTime.Utc>,
) => (OpenEnum.equals(status, "Resolved") ? firstSome(mitigation, lastUpdate) : mitigation)

/**
 * When the event had an impact: from `impactStartTime` to `impactMitigationTime`. A resolved event that does not say when
 * it was mitigated ends with its last update; one that says neither goes on. `None` without a start, and when the event
 * says that it was mitigated before it started, which services do.
 *
 * @category getters
 * @since 0.1.0
 */
export const interval = (event: AnyEvent): Option.Option<Interval.Interval> => {
  const { impactMitigationTime, impactStartTime, lastUpdateTime, status } = event.properties ?? {}
  const end = endOf(status, Timestamp.instant(impactMitigationTime), Timestamp.instant(lastUpdateTime))
  return Option.flatMap(Timestamp.instant(impactStartTime), (start) => Interval.make(start, end))
}

/**
 * Whether the event had an impact at an instant.
 *
 * @category guards
 * @since 0.1.0
 */
export const isActiveAt = (event: AnyEvent, instant: DateTime.Utc): boolean =>
  Option.exists(interval(event), (when) => Interval.contains(when, instant))

/**
 * The impact of the event on each service in each region. A region starts with the event. It ends with the event, or
 * earlier, with its own last update, when it is resolved while the event goes on.
 *
 * @category getters
 * @since 0.1.0
 */
export const impacts = (event: AnyEvent): ReadonlyArray<RegionImpact> => {
  const whole = interval(event)
  const ofRegion = ({ lastUpdateTime, status }: AnyRegion) =>
    Option.flatMap(whole, ({ end, start }) =>
      Interval.make(start, endOf(status, end, Timestamp.instant(lastUpdateTime))),
    )
  return (event.properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }) =>
    (impactedRegions ?? []).map((region) => ({
      service: impactedService ?? "",
      region: region.impactedRegion ?? "",
      interval: ofRegion(region),
    })),
  )
}

/**
 * When any service in any region of the event was impacted: the union of its impacts, or the event's own interval when it
 * names none.
 *
 * @category getters
 * @since 0.1.0
 */
export const impactUnion = (event: AnyEvent): ReadonlyArray<Interval.Interval> => {
  const named = impacts(event)
  return named.length === 0
    ? Option.toArray(interval(event))
    : Interval.union(named.flatMap((impact) => Option.toArray(impact.interval)))
}

const sameText = (a: string | null | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

/**
 * Whether one of the event's impacts is on the service and in the region that are asked for, without regard to case.
 * What is not asked for does not matter.
 *
 * @category guards
 * @since 0.1.0
 */
export const concerns = (
  event: AnyEvent,
  { region, service }: { readonly service?: string | undefined; readonly region?: string | undefined },
): boolean =>
  (event.properties?.impact ?? []).some(
    ({ impactedRegions, impactedService }) =>
      (service === undefined || sameText(impactedService, service)) &&
      (region === undefined || (impactedRegions ?? []).some(({ impactedRegion }) => sameText(impactedRegion, region))),
  )
