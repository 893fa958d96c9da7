/** Which events of now may concern a resource that is down, without naming it. Resources of one type in one region have one answer. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { Metadata } from "@vigil/health-schema/Metadata"
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import { type Evidence, type Reading, type Readings, empty } from "../Evidence.js"
import * as Decision from "./decision.js"
import * as EventEvidence from "./eventEvidence.js"
import * as Issues from "./issueEvidence.js"
import * as Listed from "./listed.js"

type Events = ReadonlyArray<HealthEvent.AnyEvent>

export interface Near {
  /** The event that explains it best, or may do so. An event can have several records. */
  readonly events: Events
  /** What emerging issues say. */
  readonly issues: ReadonlyArray<Evidence>
  /** Whether all events and issues were read, and the metadata if issues need it. */
  readonly isComplete: boolean
  /** The keys of events of now that may concern it in another way: their lists were not read, or the metadata. */
  readonly unsure: ReadonlySet<string | undefined>
}

/** What counts for a resource that is available: what emerging issues say of the events that name it. */
export const naming = (near: Near, events: Events): Near => {
  const keys = new Set(events.map(HealthEvent.trackingKey))
  return {
    ...near,
    events: [],
    issues: near.issues.filter(({ trackingId }) => trackingId !== undefined && keys.has(trackingId.toLowerCase())),
  }
}

/** What is known of a resource if only one status and some events were read. `given`: what else was read. */
export const readings = (
  status: AvailabilityStatus.AvailabilityStatus,
  now: number,
  events: Events,
  given: Partial<Pick<Readings, "emergingIssues" | "impacted" | "metadata" | "sameName" | "tenantEvents">> = {},
): Readings => ({
  resource: AvailabilityStatus.resourceId(status) ?? "",
  now,
  from: now,
  current: { items: [status], invalid: 0 },
  history: empty,
  children: empty,
  ownEvents: empty,
  subscriptionEvents: { items: events, invalid: 0 },
  tenantEvents: empty,
  emergingIssues: empty,
  sameName: empty,
  impacted: new Map(),
  metadata: empty,
  ...given,
})

/** A list that was not read completely may name any resource. */
const isListed =
  (impacted: Listed.Lists, now: number) =>
  (event: HealthEvent.AnyEvent): boolean =>
    Listed.ownerId(event) !== undefined ||
    Listed.make(impacted.get(HealthEvent.trackingKey(event) ?? ""), "", now).isComplete

/** What was read beside the events of now. */
export interface Known {
  /** Brief lists. */
  readonly impacted: Listed.Lists
  /** Whether all events and issues were read. */
  readonly isComplete: boolean
  /** Distinct ones. */
  readonly issues: ReadonlyArray<EmergingIssue>
  readonly metadata: Reading<Metadata>
}

/** `active`: the events of now. */
export const make = (
  active: Events,
  now: number,
  { impacted, isComplete, issues, metadata }: Known,
): ((status: AvailabilityStatus.AvailabilityStatus) => Near) => {
  const known = new Map<string, Near>()
  const hasList = isListed(impacted, now)
  const unlisted = active.filter((event) => !hasList(event))
  const isRead = metadata.problem === undefined
  const find = ({ id = null, location = null }: AvailabilityStatus.AvailabilityStatus): Near => {
    const status = { id, location, properties: { availabilityState: "Unavailable" } }
    const near = active.filter((event) => EventEvidence.needsServices(readings(status, now, [event])))
    const { because, suspect } = Decision.make(readings(status, now, near, { impacted, metadata }))
    const best = because ?? suspect
    const emergingIssues = { items: issues, invalid: 0 }
    const found = Issues.evidence(readings(status, now, [], { emergingIssues, metadata }))
    return {
      events: near.filter((event) => best && HealthEvent.trackingKey(event) === best.trackingId?.toLowerCase()),
      issues: found,
      isComplete: isComplete && (isRead || !found.some(EventEvidence.mayLast)),
      unsure: new Set([...unlisted, ...(isRead ? [] : near)].map(HealthEvent.trackingKey)),
    }
  }
  return (status) => {
    const key = `${AvailabilityStatus.resourceType(status)} ${status.location}`.toLowerCase()
    const near = known.get(key) ?? find(status)
    known.set(key, near)
    return near
  }
}
