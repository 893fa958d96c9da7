/** Which resource an event is of, and whether its list of impacted resources names a resource. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Moment from "@vigil/health-text/Moment"
import type { Evidence, Reading } from "../Evidence.js"
import * as Progress from "./progress.js"

/** What evidence may confirm: it names the resource, what contains it, or what is in it. */
export const confirmed = ["resource", "parent", "part"] as const

type Confirmed = (typeof confirmed)[number]

/**
 * How the resource with the ID `target` relates to a resource. A subscription or group confirms nothing. Nor does a resource of another provider in it,
 * such as a lock.
 */
const relationOf = (target: string, resource: string): Confirmed | undefined => {
  if (ResourceId.type(target) === undefined) return undefined
  const [one, own] = [target, resource].map((id) => `${ResourceId.key(id)}/`)
  if (one === undefined || own === undefined) return undefined
  if (one === own) return "resource"
  if (own.startsWith(one)) return "parent"
  return one.startsWith(own) && !one.slice(own.length).startsWith("providers/") ? "part" : undefined
}

/** The ID of an event of one resource begins with that of the resource. `undefined`: it is of a subscription or tenant. */
export const ownerId = ({ id }: HealthEvent.AnyEvent): string | undefined => {
  const owner = id?.replace(/\/providers\/[^/]+\.ResourceHealth(?:\/.*)?$/is, "")
  return owner === id || ResourceId.type(owner) === undefined ? undefined : owner
}

/** How the resource that an event is of relates to a resource. */
export const ownerOf = (event: HealthEvent.AnyEvent, resource: string): Confirmed | "other" | undefined => {
  const owner = ownerId(event)
  return owner === undefined ? undefined : (relationOf(owner, resource) ?? "other")
}

/** When the maintenance of a resource begins and ends. Times are in milliseconds since 1970. */
type Window = Pick<Evidence, "since" | "until">

export interface Listed {
  /** How the list names the resource; `undefined` if it does not. */
  readonly subject: Confirmed | undefined
  /** How far the event is for the resource. */
  readonly progress: Progress.Progress
  /** Its own maintenance, if that decides how far the event is. */
  readonly window: Window | undefined
  /** Whether it lists resources, and surely only those on which the resource does not depend. */
  readonly isApart: () => boolean
  /** How many resources it lists. */
  readonly count: number | undefined
  /** Whether the list was read. An entry without an ID may be the resource. */
  readonly isComplete: boolean
}

/** Versions of the API have the field itself, or an entry of `info`. */
const fieldOf = (
  { properties }: ImpactedResource,
  name: "maintenanceEndTime" | "maintenanceStartTime" | "status",
): string =>
  properties?.[name] || properties?.info?.find(({ key }) => key?.toLowerCase() === name.toLowerCase())?.value || ""

const time = (text: string): number | undefined => (Timestamp.isTimestamp(text) ? Moment.parse(text) : undefined)

/** A word that it is over decides, then its own times, if these are possible, then another word. */
const progressOf = (entry: ImpactedResource, now: number): Pick<Listed, "progress" | "window"> => {
  const word = Progress.of(fieldOf(entry, "status"))
  const since = time(fieldOf(entry, "maintenanceStartTime"))
  const until = time(fieldOf(entry, "maintenanceEndTime"))
  const [start, end] = [since ?? -Infinity, until ?? Infinity]
  const isKnown = (since !== undefined || until !== undefined) && start <= end
  if (!isKnown || word === "ended" || word === "cancelled") return { progress: word, window: undefined }
  return { progress: start > now ? "upcoming" : end <= now ? "ended" : "now", window: { since, until } }
}

const order: ReadonlyArray<Progress.Progress> = ["now", "ended", "upcoming", "cancelled"]

/** Types of resources on which others of their group depend. */
const basic = /(network|storage|identity)\/|\/disks$/i

/** One with its name may be the resource before it was moved. */
const isApart = (target: string, resource: string): boolean => {
  const [one, own] = [target, resource].map((id) => ({
    type: ResourceId.type(id)?.toLowerCase(),
    name: ResourceId.name(id)?.toLowerCase(),
    group: ResourceId.group(id)?.toLowerCase(),
  }))
  if (one?.type === undefined || one.name === own?.name) return false
  return one.type === own?.type || one.group !== own?.group || !basic.test(one.type)
}

/** Finds the resource in the list of an event. Of several entries, that of now counts. */
export const make = (reading: Reading<ImpactedResource> | undefined, resource: string, now: number): Listed => {
  const items = reading?.items ?? []
  const found = items.flatMap((one) => {
    const subject = relationOf(one.properties?.targetResourceId ?? "", resource)
    return subject === undefined ? [] : [{ subject, ...progressOf(one, now) }]
  })
  const [best] = confirmed
    .flatMap((subject) => found.filter((one) => one.subject === subject))
    .toSorted((one, other) => order.indexOf(one.progress) - order.indexOf(other.progress))
  return {
    subject: best?.subject,
    progress: best?.progress ?? "now",
    window: best?.window,
    isApart: () => items.length > 0 && items.every((one) => isApart(one.properties?.targetResourceId ?? "", resource)),
    count: reading && items.length,
    isComplete:
      reading !== undefined &&
      reading.problem === undefined &&
      reading.invalid === 0 &&
      items.every(({ properties }) => properties?.targetResourceId),
  }
}

/** How many entries have no ID of a resource. */
export const withoutId = ({ items }: Reading<ImpactedResource>): number =>
  items.filter(({ properties }) => !properties?.targetResourceId).length

/** The keys of a resource and of those that contain it: `…/servers/a`, `…/servers/a/databases/b`. A subscription or group is no resource. */
const path = (id: string): ReadonlyArray<string> => {
  const segments = ResourceId.key(id).split("/")
  const provider = segments.indexOf("providers")
  const length = provider < 0 ? Infinity : provider + 4
  return segments.flatMap((_, index) => (index + 1 < length ? [] : [segments.slice(0, index + 1).join("/")]))
}

/** The entries of each event. One that is of the resource by its ID may have none. */
type Entries = ReadonlyMap<HealthEvent.AnyEvent, ReadonlyArray<{ readonly entry: ImpactedResource | undefined }>>

export type Lists = ReadonlyMap<string, Reading<ImpactedResource>>

const other: ImpactedResource = { properties: { targetResourceId: "/" } }

/** For a resource that a list does not name: whether it names any, and whether that is known. */
const brief = (list: Reading<ImpactedResource>): Reading<ImpactedResource> => {
  const anonymous = list.items.find(({ properties }) => !properties?.targetResourceId)
  return { ...list, items: list.items.length === 0 ? [] : [anonymous ?? other] }
}

/** An index, for many resources. Without it, each would be compared with each entry. */
export const index = (events: ReadonlyArray<HealthEvent.AnyEvent>, impacted: Lists) => {
  const all = events.flatMap((event) => {
    const items = impacted.get(HealthEvent.trackingKey(event) ?? "")?.items ?? []
    return [
      { event, keys: path(ownerId(event) ?? ""), entry: undefined },
      ...items.map((entry) => ({ event, keys: path(entry.properties?.targetResourceId ?? ""), entry })),
    ]
  })
  const listed = Map.groupBy(all, ({ keys }) => keys.at(-1))
  const inside = all.flatMap((one) => one.keys.slice(0, -1).map((key) => ({ ...one, key })))
  const containing = Map.groupBy(inside, ({ key }) => key)
  /** The lists for a resource that none names. */
  const others: Lists = new Map(Array.from(impacted, ([key, list]) => [key, brief(list)]))
  /** The events that are of a resource, or list it, what contains it, or what is in it. */
  const find = (id: string): Entries => {
    const keys = path(id)
    const found = [...keys.flatMap((key) => listed.get(key) ?? []), ...(containing.get(keys.at(-1) ?? "") ?? [])]
    return Map.groupBy(found, ({ event }) => event)
  }
  /** The lists for a resource with these entries, which can be few of many thousands. */
  const listsOf = (found: Entries): Lists => {
    const own = Array.from(found).flatMap(([event, entries]) => {
      const key = HealthEvent.trackingKey(event) ?? ""
      const list = impacted.get(key)
      return list ? [[key, { ...list, items: entries.flatMap(({ entry }) => entry ?? []) }] as const] : []
    })
    return new Map([...others, ...own])
  }
  return { others, find, listsOf }
}
