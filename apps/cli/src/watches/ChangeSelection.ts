/** Selects changes: those of events that the flags select before or after the change. */
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { Change } from "../connection/AnyEvent.js"
import type * as EventSelection from "../lists/EventSelection.js"

const tested = ["eventType", "eventLevel", "level", "status"] as const

/** What the tests need of the event before the change. */
const before = (change: Change): HealthEvent.AnyEvent => {
  if (!("changes" in change)) return change.event
  const { fields, regions, services } = change.changes
  const { properties } = change.event
  const texts = tested.map((name) => {
    const changed = fields.find(({ path }) => path === `properties.${name}`)
    return [name, changed === undefined ? properties?.[name] : changed.before] as const
  })
  const isAdded = (service: string, region?: string) =>
    (region === undefined ? services : regions).some(
      (one) => one.kind === "Added" && one.service === service && (!("region" in one) || one.region === region),
    )
  const kept = (properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }) => {
    const service = impactedService ?? ""
    const regions = (impactedRegions ?? []).filter((one) => !isAdded(service, one.impactedRegion ?? ""))
    return isAdded(service) ? [] : [{ impactedService: service, impactedRegions: regions }]
  })
  const removed = [...services.map((one) => ({ ...one, region: "" })), ...regions]
    .filter(({ kind }) => kind === "Removed")
    .map(({ region, service }) => ({ impactedService: service, impactedRegions: [{ impactedRegion: region }] }))
  return { properties: { ...Object.fromEntries(texts), impact: [...kept, ...removed] } }
}

export type Selects = (change: Change) => boolean

export const make = (flags: EventSelection.Flags): Selects => {
  const selects = Events.matches(flags)
  return (change) => selects(change.event) || selects(before(change))
}
