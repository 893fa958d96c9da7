/** Which events of now may concern a resource that is down, without naming it. Resources of one type in one region have one answer. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"
import type { Reading } from "../Evidence.js"
import * as Decision from "./decision.js"
import * as EventEvidence from "./eventEvidence.js"
import * as StatusReadings from "./statusReadings.js"

type Events = ReadonlyArray<HealthEvent.AnyEvent>

export interface Near {
  /** The event that explains it best, or may do so. An event can have several records. */
  readonly events: Events
  /** Whether nothing more may be found in what was not read of all these events. */
  readonly isRead: boolean
}

export type Lists = ReadonlyMap<string, Reading<ImpactedResource>>

const other: ImpactedResource = { properties: { targetResourceId: "/" } }

/** For a resource that a list does not name: whether it names any, and whether that is known. */
export const brief = (list: Reading<ImpactedResource>): Reading<ImpactedResource> => {
  const anonymous = list.items.find(({ properties }) => !properties?.targetResourceId)
  return { ...list, items: list.items.length === 0 ? [] : [anonymous ?? other] }
}

/** `active`: the events of now. `impacted`: brief lists. */
export const make = (
  active: Events,
  now: number,
  { impacted, metadata }: { readonly impacted: Lists; readonly metadata: Reading<Metadata> },
): ((status: AvailabilityStatus.AvailabilityStatus) => Near) => {
  const known = new Map<string, Near>()
  const find = ({ id = null, location = null }: AvailabilityStatus.AvailabilityStatus): Near => {
    const status = { id, location, properties: { availabilityState: "Unavailable" } }
    const near = active.filter((event) => EventEvidence.needsServices(StatusReadings.make(status, now, [event])))
    if (near.length === 0) return { events: [], isRead: true }
    const { because, suspect, unread } = Decision.make(StatusReadings.make(status, now, near, { impacted, metadata }))
    const best = because ?? suspect
    return {
      events: near.filter((event) => best && HealthEvent.trackingKey(event) === best.trackingId?.toLowerCase()),
      // The status has no time of a check.
      isRead: unread.every(({ source }) => source === "current status"),
    }
  }
  return (status) => {
    const key = `${AvailabilityStatus.resourceType(status)} ${status.location}`.toLowerCase()
    const near = known.get(key) ?? find(status)
    known.set(key, near)
    return near
  }
}
