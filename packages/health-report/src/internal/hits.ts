/** Which of the events of now hit the resources of a snapshot: those that name some, and those of their services and regions. */
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { Metadata } from "@vigil/health-schema/Metadata"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Assessment from "../Assessment.js"
import type { Impact, Item } from "./items.js"
import * as Places from "./places.js"

export interface Hit {
  readonly item: Item
  /** The resources that it names, the worst first. */
  readonly resources: ReadonlyArray<Assessment.Assessment>
  /** How many other resources are of a service and region that it names. */
  readonly nearby: number
}

/** The resources of one type in one region. */
interface Kind {
  readonly type: string
  readonly location: string
  readonly count: number
}

const kindsOf = (all: ReadonlyArray<Assessment.Assessment>): ReadonlyArray<Kind> => {
  const kinds = new Map<string, Kind>()
  for (const { status } of all) {
    const [type, location] = [AvailabilityStatus.resourceType(status) ?? "", status.location ?? ""]
    const key = `${type} ${location}`.toLowerCase()
    kinds.set(key, { type, location, count: (kinds.get(key)?.count ?? 0) + 1 })
  }
  return [...kinds.values()]
}

/**
 * Returns how many resources are of the services and regions of impacts. A missing name excludes nothing. The relation of a type and a service is computed
 * once. Without metadata, only regions count.
 */
const counter = (all: ReadonlyArray<Assessment.Assessment>, metadata: ReadonlyArray<Metadata>) => {
  const kinds = kindsOf(all)
  const serves = new Map(kinds.map(({ type }) => [type, Places.service(metadata, type)]))
  const known = new Map<string, boolean>()
  const isServed = (type: string, service: string): boolean => {
    if (service === "" || metadata.length === 0) return true
    const key = `${type} ${service}`
    const isOwn = known.get(key) ?? serves.get(type)?.(service) === "own"
    known.set(key, isOwn)
    return isOwn
  }
  const isIn = (location: string, region: string) => region === "" || Places.region(region, location) === "own"
  return (places: ReadonlyArray<Impact>): number =>
    kinds
      .filter(({ location, type }) =>
        places.some(({ region, service }) => isIn(location, region) && isServed(type, service)),
      )
      .reduce((sum, { count }) => sum + count, 0)
}

/** Those that name resources come first; each part keeps the order of `items`. */
export const make = (
  items: ReadonlyArray<Item>,
  impacts: ReadonlyArray<Impact>,
  all: ReadonlyArray<Assessment.Assessment>,
  { metadata = [], now }: { readonly metadata?: ReadonlyArray<Metadata> | undefined; readonly now: number },
): ReadonlyMap<Item, Hit> => {
  const count = counter(all, metadata)
  const byEvent = new Map<AnyEvent, Array<Assessment.Assessment>>()
  for (const one of all) {
    for (const event of one.events) {
      const found = byEvent.get(event)
      if (found === undefined) byEvent.set(event, [one])
      else found.push(one)
    }
  }
  const places = Map.groupBy(impacts, ({ item }) => item)
  const hits = items
    .filter(({ event }) => Assessment.isUnderWay(event, now))
    .map((item): Hit => {
      const resources = (byEvent.get(item.event) ?? []).toSorted(Assessment.order)
      const open = (places.get(item) ?? []).filter(({ interval }) => (interval?.end ?? Infinity) > now)
      return { item, resources, nearby: Math.max(0, count(open) - resources.length) }
    })
  const named = hits.filter(({ resources }) => resources.length > 0)
  const near = hits.filter(({ nearby, resources }) => resources.length === 0 && nearby > 0)
  return new Map([...named, ...near].map((hit) => [hit.item, hit]))
}
