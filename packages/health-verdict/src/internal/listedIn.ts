/** Which events are of a resource, or list it, what contains it, or what is in it: an index, for many resources. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import type { Reading } from "../Evidence.js"
import * as Listed from "./listed.js"

/** The keys of a resource and of those that contain it: `…/servers/a`, `…/servers/a/databases/b`. A subscription or group is no resource. */
const path = (id: string): ReadonlyArray<string> => {
  const segments = ResourceId.key(id).split("/")
  const provider = segments.indexOf("providers")
  const length = provider < 0 ? Infinity : provider + 4
  return segments.flatMap((_, index) => (index + 1 < length ? [] : [segments.slice(0, index + 1).join("/")]))
}

/** The entries of each event. One that is of the resource by its ID may have none. */
export type Entries = ReadonlyMap<HealthEvent.AnyEvent, ReadonlyArray<{ readonly entry: ImpactedResource | undefined }>>

/** Returns a function of the ID of a resource. Without an index, each resource would be compared with each entry. */
export const make = (
  events: ReadonlyArray<HealthEvent.AnyEvent>,
  impacted: ReadonlyMap<string, Reading<ImpactedResource>>,
): ((id: string) => Entries) => {
  const all = events.flatMap((event) => {
    const items = impacted.get(HealthEvent.trackingKey(event) ?? "")?.items ?? []
    return [
      { event, keys: path(Listed.ownerId(event) ?? ""), entry: undefined },
      ...items.map((entry) => ({ event, keys: path(entry.properties?.targetResourceId ?? ""), entry })),
    ]
  })
  const listed = Map.groupBy(all, ({ keys }) => keys.at(-1))
  const inside = all.flatMap((one) => one.keys.slice(0, -1).map((key) => ({ ...one, key })))
  const containing = Map.groupBy(inside, ({ key }) => key)
  return (id) => {
    const keys = path(id)
    const found = [...keys.flatMap((key) => listed.get(key) ?? []), ...(containing.get(keys.at(-1) ?? "") ?? [])]
    return Map.groupBy(found, ({ event }) => event)
  }
}
