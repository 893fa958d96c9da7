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

/**
 * Returns a function that counts the resources of the services and in the regions on which an event still has an impact, at a time in milliseconds since
 * 1970. A name that may mean another service is another one, and a name excludes a region only if it surely means another one. A missing name excludes
 * nothing. An event without impacts has none. Without metadata, only regions count.
 * @category constructors @since 0.3.0
 */
export const make = (
  statuses: ReadonlyArray<AvailabilityStatus.AvailabilityStatus>,
  now: number,
  metadata: ReadonlyArray<Metadata> = [],
): ((event: AnyEvent) => number) => {
  const kinds = kindsOf(statuses)
  const relations = new Map(kinds.map(({ type }) => [type, Places.service(metadata, type)]))
  const known = new Map<string, boolean>()
  /** A name of a service is looked up once for each type. */
  const isServed = (type: string, service: string): boolean => {
    if (service === "" || metadata.length === 0) return true
    const key = `${type} ${service}`
    const isOwn = known.get(key) ?? relations.get(type)?.(service) === "own"
    known.set(key, isOwn)
    return isOwn
  }
  const regions = new Map(kinds.map(({ location }) => [location, Places.region(metadata, location)]))
  const isIn = (location: string, region: string) => regions.get(location)?.(region) !== "other"
  return (event) => {
    const places = Events.impacts(event).filter(isOpenAt(now))
    return kinds
      .filter(({ location, type }) =>
        places.some(({ region, service }) => isIn(location, region) && isServed(type, service)),
      )
      .reduce((sum, { count }) => sum + count, 0)
  }
}
