/** Questions that are often asked of an event: when it had an impact, and on what. */
import * as DateTime from "effect/DateTime"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import type * as Impact from "./Impact.js"
import * as Interval from "./Interval.js"
import * as OpenEnum from "./OpenEnum.js"
import * as Region from "./Region.js"
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
  /** When. */
  readonly interval: Option.Option<Interval.Interval>
}

/** When the event ended: when it was mitigated, else, if it is resolved, when it was last updated. */
const end = (event: AnyEvent): Option.Option<DateTime.Utc> => {
  const { impactMitigationTime, lastUpdateTime, status } = event.properties ?? {}
  const mitigation = Timestamp.instant(impactMitigationTime)
  return Option.isNone(mitigation) && OpenEnum.equals(status, "Resolved")
    ? Timestamp.instant(lastUpdateTime)
    : mitigation
}

/**
 * When the event had an impact: from `impactStartTime` to `impactMitigationTime`. A resolved event that does not say when
 * it was mitigated ends with its last update; one that says neither goes on. `None` without a start, and when the end is
 * before the start, which services do send.
 *
 * @category getters
 * @since 0.1.0
 */
export const interval = (event: AnyEvent): Option.Option<Interval.Interval> =>
  Option.flatMap(Timestamp.instant(event.properties?.impactStartTime), (start) => Interval.make(start, end(event)))

/**
 * Whether the event had an impact at an instant. Of an event that does not say when it started (security advisories in a
 * list do not) its status is what there is to go by: an active one counts as active until its end.
 *
 * @category guards
 * @since 0.1.0
 */
export const isActiveAt: {
  (instant: DateTime.DateTime): (event: AnyEvent) => boolean
  (event: AnyEvent, instant: DateTime.DateTime): boolean
} = dual(2, (event: AnyEvent, instant: DateTime.DateTime): boolean =>
  Option.isNone(Timestamp.instant(event.properties?.impactStartTime))
    ? OpenEnum.equals(event.properties?.status, "Active") &&
      !Option.exists(end(event), DateTime.lessThanOrEqualTo(instant))
    : Option.exists(interval(event), Interval.contains(instant)),
)

/** The part of the event's interval in which a region was impacted: a resolved one until its own last update at most. */
const ofRegion = ({ end, start }: Interval.Interval, { lastUpdateTime, status }: AnyRegion): Interval.Interval => {
  const own = OpenEnum.equals(status, "Resolved") ? Timestamp.instant(lastUpdateTime) : Option.none()
  const first = Option.match(own, {
    onNone: () => end,
    onSome: (at) => Option.some(Option.match(end, { onNone: () => at, onSome: (last) => DateTime.min(at, last) })),
  })
  return { start, end: Option.map(first, DateTime.max(start)) }
}

/**
 * The impact of the event on each service in each region; of a service without regions, on the service as a whole. An
 * impact starts with the event, and ends with it. That on a region which is resolved ends earlier, with the region's own
 * last update.
 *
 * @category getters
 * @since 0.1.0
 */
export const impacts = (event: AnyEvent): ReadonlyArray<RegionImpact> => {
  const whole = interval(event)
  return (event.properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }) => {
    const service = impactedService ?? ""
    const regions = impactedRegions ?? []
    return regions.length === 0
      ? [{ service, region: "", interval: whole }]
      : regions.map((region) => ({
          service,
          region: region.impactedRegion ?? "",
          interval: Option.map(whole, (when) => ofRegion(when, region)),
        }))
  })
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

/**
 * What to ask of an event's impact: a service, a region, or both of one service.
 *
 * @category models
 * @since 0.1.0
 */
export interface Place {
  /** The name of a service. Default: any. */
  readonly service?: string | undefined
  /** The name of a region. Default: any. */
  readonly region?: string | undefined
}

const sameText = (a: string | null | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

/**
 * Whether one of the event's impacts is on the given service and in the given region. Services are compared without regard
 * to case, regions without regard to case, spaces and dashes (`Region.equals`). An impact on `Global` is not one on
 * `West Europe`.
 *
 * @category guards
 * @since 0.1.0
 */
export const concerns: {
  (place: Place): (event: AnyEvent) => boolean
  (event: AnyEvent, place: Place): boolean
} = dual(2, (event: AnyEvent, { region, service }: Place): boolean =>
  (event.properties?.impact ?? []).some(
    ({ impactedRegions, impactedService }) =>
      (service === undefined || sameText(impactedService, service)) &&
      (region === undefined ||
        (impactedRegions ?? []).some(({ impactedRegion }) => Region.equals(impactedRegion, region))),
  ),
)
