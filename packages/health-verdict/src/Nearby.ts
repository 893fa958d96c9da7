/** Whether someone has resources of the services and in the regions of an event. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Events from "@vigil/health-schema/Events"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { Metadata } from "@vigil/health-schema/Metadata"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Places from "./internal/places.js"

/** The resources of one type in one region. */
interface Kind {
  readonly type: string
  readonly location: string
  readonly count: number
}

const kindsOf = (statuses: ReadonlyArray<AvailabilityStatus.AvailabilityStatus>): ReadonlyArray<Kind> => {
  const kinds = new Map<string, Kind>()
  for (const status of statuses) {
    const [type, location] = [AvailabilityStatus.resourceType(status) ?? "", status.location ?? ""]
    const key = `${type} ${location}`.toLowerCase()
    kinds.set(key, { type, location, count: (kinds.get(key)?.count ?? 0) + 1 })
  }
  return [...kinds.values()]
}

const isOpenAt =
  (now: number) =>
  ({ interval }: Events.RegionImpact): boolean =>
    !Option.exists(interval, ({ end }) => Option.exists(end, (end) => DateTime.toEpochMillis(end) <= now))

/** How many resources are in the regions on which an event has an impact. @category models @since 0.4.0 */
export interface Count {
  /** Those of the services of the event. A name that may mean another service is another one. */
  readonly sure: number
  /** Also those of services that the metadata cannot tell from them. */
  readonly possible: number
}

/**
 * Returns a function that counts the resources of the services and in the regions on which an event still has an impact, at a time in milliseconds since
 * 1970. A name excludes a region only if it surely means another one. A missing name excludes nothing. An event without impacts has none. Without metadata,
 * only regions count.
 * @category constructors @since 0.3.0
 */
export const make = (
  statuses: ReadonlyArray<AvailabilityStatus.AvailabilityStatus>,
  now: number,
  metadata: ReadonlyArray<Metadata> = [],
): ((event: AnyEvent) => Count) => {
  const kinds = kindsOf(statuses)
  const relations = new Map(kinds.map(({ type }) => [type, Places.service(metadata, type)]))
  const known = new Map<string, Places.ServiceRelation>()
  /** A name of a service is looked up once for each type. */
  const relationTo = (type: string, service: string): Places.ServiceRelation => {
    if (service === "" || metadata.length === 0) return "own"
    const key = `${type} ${service}`
    const relation = known.get(key) ?? relations.get(type)?.(service) ?? "near"
    known.set(key, relation)
    return relation
  }
  const regions = new Map(kinds.map(({ location }) => [location, Places.region(metadata, location)]))
  const isIn = (location: string, region: string) => regions.get(location)?.(region) !== "other"
  return (event) => {
    const places = Events.impacts(event).filter(isOpenAt(now))
    const count = (isServed: (relation: Places.ServiceRelation) => boolean) =>
      kinds
        .filter(({ location, type }) =>
          places.some(({ region, service }) => isServed(relationTo(type, service)) && isIn(location, region)),
        )
        .reduce((sum, { count }) => sum + count, 0)
    return { sure: count((relation) => relation === "own"), possible: count((relation) => relation !== "other") }
  }
}

/**
 * Returns a function that returns the one of `make` for the events of a subscription, which concern only its own resources. Without an ID, it is for events of
 * the tenant and of everyone, which concern all.
 * @category constructors @since 0.4.0
 */
export const bySubscription = (
  statuses: ReadonlyArray<AvailabilityStatus.AvailabilityStatus>,
  now: number,
  metadata?: ReadonlyArray<Metadata>,
): ((id?: string) => ReturnType<typeof make>) => {
  const owned = Map.groupBy(statuses, (status) => AvailabilityStatus.subscriptionId(status)?.toLowerCase())
  const known = new Map<string | undefined, ReturnType<typeof make>>()
  return (id) => {
    const key = id?.toLowerCase()
    const count = known.get(key) ?? make(key === undefined ? statuses : (owned.get(key) ?? []), now, metadata)
    known.set(key, count)
    return count
  }
}
