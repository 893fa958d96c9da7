/** Which events list a resource, what contains it, or what is in it: an index, for many resources. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import type { Reading } from "../Evidence.js"

/** The keys of a resource and of those that contain it: `…/servers/a`, `…/servers/a/databases/b`. A subscription or group is no resource. */
const path = (id: string): ReadonlyArray<string> => {
  const segments = ResourceId.key(id).split("/")
  const provider = segments.indexOf("providers")
  const length = provider < 0 ? Infinity : provider + 4
  return segments.flatMap((_, index) => (index + 1 < length ? [] : [segments.slice(0, index + 1).join("/")]))
}

/** The entries of each event. */
export type Entries = ReadonlyMap<HealthEvent.AnyEvent, ReadonlySet<ImpactedResource>>

type Index = Map<string, Map<HealthEvent.AnyEvent, Set<ImpactedResource>>>

const getOrAdd = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key) ?? make()
  map.set(key, known)
  return known
}

const add = (index: Index, key: string, event: HealthEvent.AnyEvent, entry: ImpactedResource) =>
  getOrAdd(
    getOrAdd(index, key, () => new Map()),
    event,
    () => new Set(),
  ).add(entry)

const nothing: Entries = new Map()

/** Returns a function of the ID of a resource. Without an index, each resource would be compared with each entry. */
export const make = (
  events: ReadonlyArray<HealthEvent.AnyEvent>,
  impacted: ReadonlyMap<string, Reading<ImpactedResource>>,
): ((id: string) => Entries) => {
  const listed: Index = new Map()
  const containing: Index = new Map()
  for (const event of events)
    for (const entry of impacted.get(HealthEvent.trackingKey(event) ?? "")?.items ?? []) {
      const keys = path(entry.properties?.targetResourceId ?? "")
      const own = keys.at(-1)
      if (own !== undefined) add(listed, own, event, entry)
      for (const key of keys) add(containing, key, event, entry)
    }
  if (listed.size === 0) return () => nothing
  return (id) => {
    const keys = path(id)
    const found: Index = new Map()
    for (const entries of [...keys.map((key) => listed.get(key)), containing.get(keys.at(-1) ?? "")])
      for (const [event, own] of entries ?? []) for (const entry of own) add(found, "", event, entry)
    return found.get("") ?? nothing
  }
}
