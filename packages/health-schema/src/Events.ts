/** When an event has an impact, on which services and regions, and whether it matches a selection. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type * as ApiVersion from "./ApiVersion.js"
import * as HealthEvent from "./HealthEvent.js"
import type * as Impact from "./Impact.js"
import * as Region from "./Region.js"
import * as Timestamp from "./Timestamp.js"

type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>

/** Ignores case, and what separates the words. */
const isFalseTag = (tag: unknown): boolean => typeof tag === "string" && /^\s*false[\s_-]*positive\s*$/i.test(tag)

/** Only some versions of the API declare the tags of an update. */
const isFalseUpdate = (update: object): boolean =>
  "eventTags" in update && Array.isArray(update.eventTags) && update.eventTags.some(isFalseTag)

/**
 * Returns whether the latest update of a region has the tag `False Positive`: an investigation found the service healthy there. An update without a time may
 * be the latest.
 * @category guards @since 0.4.0
 */
export const isFalsePositiveIn = ({ updates }: Pick<AnyRegion, "updates">): boolean => {
  if (!updates?.some(isFalseUpdate)) return false
  const times = updates.map(({ updateDateTime }) =>
    Option.match(Timestamp.instant(updateDateTime), { onNone: () => Infinity, onSome: DateTime.toEpochMillis }),
  )
  const last = Math.max(...times)
  return updates.every((update, index) => times[index] !== last || isFalseUpdate(update))
}

/**
 * Returns whether the event has the tag `False Positive`, ignoring case, or each of its regions (`isFalsePositiveIn`): nothing happened.
 * @category guards @since 0.4.0
 */
export const isFalsePositive = ({ properties }: HealthEvent.AnyEvent): boolean => {
  if (properties?.eventTags?.some(isFalseTag)) return true
  const impacts: ReadonlyArray<Impact.Impact<ApiVersion.ApiVersion>> = properties?.impact ?? []
  return (
    impacts.length > 0 &&
    impacts.every(({ impactedRegions }) => impactedRegions?.length && impactedRegions.every(isFalsePositiveIn))
  )
}

/**
 * Returns whether the event is neither resolved (`HealthEvent.isResolved`) nor a false positive: every output counts these as active, and nothing else.
 * @category guards @since 0.4.0
 */
export const isActive = (event: HealthEvent.AnyEvent): boolean =>
  !HealthEvent.isResolved(event) && !isFalsePositive(event)

/** The time from `start` until just before `end`; unbounded without an `end`. @category models @since 0.1.0 */
export interface Interval {
  readonly start: DateTime.Utc
  readonly end: Option.Option<DateTime.Utc>
}

/**
 * The impact on one service in one region, whose names may be empty. `interval` is `None` if the event has no start, or ends before it.
 * @category models @since 0.1.0
 */
export interface RegionImpact {
  readonly service: string
  readonly region: string
  readonly interval: Option.Option<Interval>
}

const resolutionTime = ({ lastUpdateTime, status }: Pick<AnyRegion, "lastUpdateTime" | "status">) =>
  HealthEvent.isResolvedStatus(status) ? Timestamp.instant(lastUpdateTime) : Option.none()

const endTime = ({ properties }: HealthEvent.AnyEvent): Option.Option<DateTime.Utc> =>
  Option.orElse(Timestamp.instant(properties?.impactMitigationTime), () => resolutionTime(properties ?? {}))

/**
 * Returns when the event has an impact: from `impactStartTime` to `impactMitigationTime`, else to the last update of a resolved event.
 * `None` without a start, if the end is before the start, and for a false positive.
 * @category getters @since 0.1.0
 */
export const interval = (event: HealthEvent.AnyEvent): Option.Option<Interval> =>
  Timestamp.instant(event.properties?.impactStartTime).pipe(
    Option.map((start) => ({ start, end: endTime(event) })),
    Option.filter(({ end, start }) => !Option.exists(end, DateTime.isLessThan(start)) && !isFalsePositive(event)),
  )

/**
 * Returns whether the event has an impact at an instant. Without a start, an event that is not resolved has an impact until its end. A
 * resolved event without an end has none, and neither has a false positive.
 * @category guards @since 0.1.0
 */
export const isActiveAt =
  (instant: DateTime.DateTime) =>
  (event: HealthEvent.AnyEvent): boolean => {
    const isUnresolved = !HealthEvent.isResolved(event)
    return (
      !isFalsePositive(event) &&
      Option.match(Timestamp.instant(event.properties?.impactStartTime), {
        onNone: () => isUnresolved,
        onSome: DateTime.isLessThanOrEqualTo(instant),
      }) &&
      Option.match(endTime(event), {
        onNone: () => isUnresolved,
        onSome: DateTime.isGreaterThan(instant),
      })
    )
  }

const earlier = (a: Option.Option<DateTime.Utc>, b: Option.Option<DateTime.Utc>): Option.Option<DateTime.Utc> =>
  Option.orElse(
    Option.zipWith(a, b, (one, other) => DateTime.min(one, other)),
    () => Option.orElse(a, () => b),
  )

/**
 * Returns the impact on each service in each region, or on the service if it has no regions. The impact on a resolved region ends with its
 * last update, if that is before the end of the event. A region with a false positive has none.
 * @category getters @since 0.1.0
 */
export const impacts = (event: HealthEvent.AnyEvent): ReadonlyArray<RegionImpact> => {
  const own = interval(event)
  return (event.properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }) =>
    (impactedRegions?.length ? impactedRegions : [{}])
      .filter((region: AnyRegion) => !isFalsePositiveIn(region))
      .map((region: AnyRegion) => ({
        service: impactedService ?? "",
        region: region.impactedRegion ?? "",
        interval: Option.map(own, ({ end, start }) => ({
          start,
          end: Option.map(earlier(resolutionTime(region), end), DateTime.max(start)),
        })),
      })),
  )
}

/** A service, a region, or a service in a region. @category models @since 0.1.0 */
export interface Target {
  /** The name of a service. Default: any. */
  readonly service?: string | undefined
  /** The name of a region. Default: any. */
  readonly region?: string | undefined
}

/**
 * Returns whether the event has an impact on the service in the region, ignoring case; for regions also spaces and dashes. An impact on
 * `Global` is not an impact on `West Europe`.
 * @category guards @since 0.1.0
 */
export const concerns =
  ({ region, service }: Target) =>
  (event: HealthEvent.AnyEvent): boolean =>
    (event.properties?.impact ?? []).some(
      ({ impactedRegions, impactedService }) =>
        (service === undefined || impactedService?.toLowerCase() === service.toLowerCase()) &&
        (region === undefined || impactedRegions?.some(({ impactedRegion }) => Region.equals(impactedRegion, region))),
    )

/** Values of events to select. A missing or empty list allows every value. @category models @since 0.2.0 */
export interface Selection {
  readonly type?: ReadonlyArray<string> | undefined
  /** `Active` (`isActive`), or `Resolved` for every other event. */
  readonly status?: ReadonlyArray<string> | undefined
  /** Levels as of `HealthEvent.knownLevel`. */
  readonly level?: ReadonlyArray<string> | undefined
  readonly service?: ReadonlyArray<string> | undefined
  readonly region?: ReadonlyArray<string> | undefined
}

/**
 * Returns whether an event has one of the values of each list, ignoring case. A service and a region must match in the same impact (`concerns`).
 * @category guards @since 0.2.0
 */
export const matches = ({
  level,
  region,
  service,
  status,
  type,
}: Selection): ((event: HealthEvent.AnyEvent) => boolean) => {
  const services = service?.length ? service : [undefined]
  const regions = region?.length ? region : [undefined]
  const targets = services.flatMap((service) => regions.map((region) => ({ service, region })))
  const includes = (wanted: ReadonlyArray<string> | undefined, value: string | null | undefined): boolean =>
    !wanted?.length || wanted.some((one) => one.toLowerCase() === value?.toLowerCase())
  return (event) =>
    includes(type, event.properties?.eventType) &&
    includes(status, isActive(event) ? "Active" : "Resolved") &&
    includes(level, HealthEvent.knownLevel(event)) &&
    (!(service?.length || region?.length) || targets.some((target) => concerns(target)(event)))
}
