/** The availability of resources: it follows from the events that impact them, and from stops of their own. */
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Region from "@vigil/health-schema/Region"
import * as Hash from "effect/Hash"
import * as dice from "./dice.js"
import { eventsOf, once, statusesOf } from "./lookup.js"
import type { Resource, StatusProperties, World, WorldEvent } from "./models.js"
import { day, hour, instantOf, minute, secondsOf } from "./story.js"

/** The history of a resource begins this long ago. */
const historyLength = 28 * day

/** A time with this status, in milliseconds since 1970, without `to`. */
interface Phase {
  readonly from: number
  readonly to: number
  readonly properties: StatusProperties
}

const action = (text: string, blade: string) => ({ action: text, actionUrl: `<#${blade}>`, actionUrlText: "open" })

const support = action("If you think that the platform is the cause, contact support.", "SupportCase")

const available: StatusProperties = {
  availabilityState: "Available",
  title: "Available",
  summary: "The platform has no known problem that affects this resource.",
  detailedStatus: "",
  reasonType: "",
  reasonChronicity: "Transient",
  recommendedActions: [action("Find the cause of a problem with the troubleshooter.", "TroubleshootBlade"), support],
}

const stopped: StatusProperties = {
  availabilityState: "Unavailable",
  title: "Stopped",
  summary: "An authorized user or process stopped this resource.",
  detailedStatus: "",
  context: "Customer Initiated",
  healthEventType: "Lifecycle",
  healthEventCause: "UserInitiated",
  reasonChronicity: "Persistent",
  recommendedActions: [action("To start this resource, open its page.", "ResourceBlade"), support],
}

const unknown: StatusProperties = {
  availabilityState: "Unknown",
  title: "Unknown",
  summary: "The platform has received no information about this resource for 10 minutes.",
  detailedStatus: "",
  reasonType: "",
  reasonChronicity: "Transient",
  recommendedActions: [support],
}

/** The impact of a service issue or maintenance on the resources of a service in a region. */
const impactOf = ({ event, lastUpdate }: WorldEvent, { region, service }: Resource): Phase => {
  const { name, properties } = event
  const { eventLevel, eventType, impact, impactMitigationTime, impactStartTime, status } = properties ?? {}
  const title = properties?.title ?? ""
  const isPlanned = OpenEnum.equals(eventType, "PlannedMaintenance")
  const own = impact
    ?.flatMap(({ impactedRegions }) => impactedRegions ?? [])
    .find(({ impactedRegion }) => Region.equals(impactedRegion, region))
  const isResolved = OpenEnum.equals(status, "Resolved") || OpenEnum.equals(own?.status, "Resolved")
  const isMinor = OpenEnum.equals(eventLevel, "Warning") || OpenEnum.equals(eventLevel, "Informational")
  const availabilityState = isMinor && !isPlanned ? "Degraded" : "Unavailable"
  const reasonType = isPlanned ? "Planned" : "Unplanned"
  const from = instantOf(impactStartTime) ?? lastUpdate
  const resolvedAt = isResolved ? (instantOf(own?.lastUpdateTime) ?? lastUpdate) : Infinity
  const to = isPlanned || isResolved ? (instantOf(impactMitigationTime) ?? resolvedAt) : Infinity
  const incident = {
    eventStartTime: secondsOf(from),
    eventStatusLastModifiedTime: secondsOf(lastUpdate),
    correlationId: dice.make(Hash.string(name ?? "")).guid(),
    status: { value: isResolved ? "Resolved" : "Active" },
    incidentProperties: { title, service, region, incidentType: isPlanned ? "maintenance" : "outage" },
  }
  return {
    from,
    to,
    properties: {
      availabilityState,
      title: availabilityState,
      summary: `${isPlanned ? "Planned maintenance" : "A problem of the platform"} affects ${service} in ${region}.`,
      detailedStatus: title,
      reasonType,
      context: "Platform Initiated",
      category: reasonType,
      healthEventType: isPlanned ? "Maintenance" : "Downtime",
      healthEventCause: "PlatformInitiated",
      healthEventCategory: reasonType,
      healthEventId: name ?? "",
      reasonChronicity: "Persistent",
      rootCauseAttributionTime: secondsOf(from + minute),
      resolutionETA: secondsOf(to === Infinity ? lastUpdate + 2 * hour : to),
      recommendedActions: [action("Wait for the next update of the event.", "ServiceHealthBlade"), support],
      serviceImpactingEvents: [incident],
    },
  }
}

/** The impacts of an event by service and region, which many resources share. */
const knownImpacts = once<WorldEvent, Map<string, Phase>>(() => new Map())

const sharedImpactOf = (event: WorldEvent, resource: Resource): Phase => {
  const place = `${resource.service}/${resource.region}`
  const impact = knownImpacts(event).get(place) ?? impactOf(event, resource)
  knownImpacts(event).set(place, impact)
  return impact
}

const isOutage = ({ availabilityState, reasonType }: StatusProperties): boolean =>
  reasonType === "Unplanned" && availabilityState === "Unavailable"

const rank = ({ properties }: Phase): number =>
  isOutage(properties) ? 0 : properties.reasonType === "Unplanned" ? 1 : 2

/** The most important first: a resource that an issue affects says so, even if it is also stopped. */
const phasesOf = (world: World, resource: Resource): ReadonlyArray<Phase> => {
  const random = dice.make(Hash.string(resource.uri))
  /** Recurs until `now`. The times do not depend on `now`. */
  const recurring = (hours: number, properties: StatusProperties) => {
    const period = random.between(6, 14) * day
    const last = Math.floor(world.now) - ((Math.floor(world.now) + random.between(0, period)) % period)
    return Array.from({ length: Math.ceil(historyLength / period) + 1 }, (_, index): Phase => {
      const from = last - index * period
      return { from, to: from + hours * hour, properties }
    })
  }
  const reasonType = random.pick(["Customer Initiated", "User Initiated", "UserInitiated"])
  return [
    ...eventsOf(world, resource)
      .filter(({ event }) => /^(ServiceIssue|PlannedMaintenance)$/i.test(event.properties?.eventType ?? ""))
      .map((event) => sharedImpactOf(event, resource))
      .toSorted((a, b) => rank(a) - rank(b)),
    ...recurring(random.between(4, 48), { ...stopped, reasonType }),
    ...recurring(random.between(1, 12), unknown),
  ]
}

interface Change {
  readonly at: number
  readonly properties: StatusProperties
}

const show = ({ at, properties }: Change) => ({ ...properties, occuredTime: secondsOf(at) })

/** The statuses that follow from the events, newest first; at least one. */
const derived = (world: World, resource: Resource): readonly [StatusProperties, ...ReadonlyArray<StatusProperties>] => {
  const { now } = world
  const since = Math.floor((now - historyLength) / day) * day
  const phases = phasesOf(world, resource)
  const changeAt = (at: number): Change => ({
    at,
    properties: phases.find(({ from, to }) => from <= at && at < to)?.properties ?? available,
  })
  const changes: [Change, ...Array<Change>] = [changeAt(since)]
  const times = phases.flatMap(({ from, to }) => [from, to]).filter((at) => at > since && at <= now)
  for (const change of times.toSorted((a, b) => a - b).map(changeAt))
    if (changes[0].properties !== change.properties) changes.unshift(change)
  const [last, ...earlier] = changes
  // The service sends seven fraction digits.
  const current = { ...show(last), reportedTime: `${new Date(now).toISOString().slice(0, 23)}0530Z` }
  const [before] = earlier
  if (last.properties !== available || now - last.at >= day || before === undefined || !isOutage(before.properties))
    return [current, ...earlier.map(show)]
  const recentlyResolved = {
    unavailableOccuredTime: secondsOf(before.at),
    resolvedTime: secondsOf(last.at),
    unavailableSummary: before.properties.summary ?? "",
  }
  return [{ ...current, recentlyResolved }, ...earlier.map(show)]
}

/** The statuses of a resource, newest first; at least one. */
export const history = (world: World, resource: Resource): ReadonlyArray<StatusProperties> => {
  const put = statusesOf(world, resource)
  const oldest = instantOf(put.at(-1)?.occuredTime) ?? Infinity
  return [...put, ...derived(world, resource).filter(({ occuredTime }) => (instantOf(occuredTime) ?? 0) < oldest)]
}

/** The current status of a resource. */
export const current = (world: World, resource: Resource): StatusProperties =>
  statusesOf(world, resource)[0] ?? derived(world, resource)[0]
