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

const floor = (at: number, unit: number): number => Math.floor(at / unit) * unit

/** A state with a cause, in milliseconds since 1970, without `to`. */
interface Phase {
  readonly from: number
  readonly to: number
  readonly state: "Unavailable" | "Degraded" | "Unknown" | "Available"
  readonly reasonType: string
  /** The other properties. Making them takes longer than finding the phase. */
  readonly describe: () => StatusProperties
}

const action = (text: string, blade: string) => ({ action: text, actionUrl: `<#${blade}>`, actionUrlText: "open" })

const support = action("If you think that the platform is the cause, contact support.", "SupportCase")

const available: Phase = {
  from: -Infinity,
  to: Infinity,
  state: "Available",
  reasonType: "",
  describe: () => ({
    summary: "The platform has no known problem that affects this resource.",
    reasonChronicity: "Transient",
    recommendedActions: [action("Find the cause of a problem with the troubleshooter.", "TroubleshootBlade"), support],
  }),
}

/** The impact of a service issue or maintenance in the region of a resource. */
const impactOf = ({ region, service }: Resource, { event, lastUpdate }: WorldEvent): Phase => {
  const { properties, name } = event
  const { eventLevel, eventType, impact, impactMitigationTime, impactStartTime, status } = properties ?? {}
  const isPlanned = OpenEnum.equals(eventType, "PlannedMaintenance")
  const own = impact
    ?.flatMap(({ impactedRegions }) => impactedRegions ?? [])
    .find(({ impactedRegion }) => Region.equals(impactedRegion, region))
  const isResolved = OpenEnum.equals(status, "Resolved") || OpenEnum.equals(own?.status, "Resolved")
  const isMinor = OpenEnum.equals(eventLevel, "Warning") || OpenEnum.equals(eventLevel, "Informational")
  const reasonType = isPlanned ? "Planned" : "Unplanned"
  const start = instantOf(impactStartTime) ?? lastUpdate
  const resolvedAt = isResolved ? (instantOf(own?.lastUpdateTime) ?? lastUpdate) : Infinity
  const to = isPlanned || isResolved ? (instantOf(impactMitigationTime) ?? resolvedAt) : Infinity
  return {
    from: start,
    to,
    state: isMinor && !isPlanned ? "Degraded" : "Unavailable",
    reasonType,
    describe: () => {
      const title = properties?.title ?? ""
      const incidentType = isPlanned ? "maintenance" : "outage"
      return {
        summary: `${isPlanned ? "Planned maintenance" : "A problem of the platform"} affects ${service} in ${region}.`,
        detailedStatus: title,
        context: "Platform Initiated",
        category: reasonType,
        healthEventType: isPlanned ? "Maintenance" : "Downtime",
        healthEventCause: "PlatformInitiated",
        healthEventCategory: reasonType,
        healthEventId: name ?? "",
        reasonChronicity: "Persistent",
        rootCauseAttributionTime: secondsOf(start + minute),
        resolutionETA: secondsOf(to === Infinity ? lastUpdate + 2 * hour : to),
        recommendedActions: [action("Wait for the next update of the event.", "ServiceHealthBlade"), support],
        serviceImpactingEvents: [
          {
            eventStartTime: secondsOf(start),
            eventStatusLastModifiedTime: secondsOf(lastUpdate),
            correlationId: dice.make(Hash.string(name ?? "")).guid(),
            status: { value: isResolved ? "Resolved" : "Active" },
            incidentProperties: { title, service, region, incidentType },
          },
        ],
      }
    },
  }
}

const knownImpacts = once<WorldEvent, Map<string, Phase>>(() => new Map())

/** Many resources have the same service and region. */
const cachedImpactOf = (resource: Resource, event: WorldEvent): Phase => {
  const known = knownImpacts(event)
  const place = `${resource.service}/${resource.region}`
  const impact = known.get(place) ?? impactOf(resource, event)
  known.set(place, impact)
  return impact
}

/** A phase that recurs until `now`. It depends on the clock, not on the time of a request. */
const recurring = (
  random: dice.Dice,
  now: number,
  hours: readonly [number, number],
  phase: Pick<Phase, "state" | "reasonType" | "describe">,
): ReadonlyArray<Phase> => {
  const period = random.between(6, 14) * day
  const last = now - ((now + random.between(0, period)) % period)
  const length = random.between(...hours) * hour
  return Array.from({ length: Math.ceil(historyLength / period) + 1 }, (_, index) => {
    const from = last - index * period
    return { ...phase, from, to: from + length }
  })
}

const stops = (random: dice.Dice, now: number): ReadonlyArray<Phase> =>
  recurring(random, now, [4, 48], {
    state: "Unavailable",
    reasonType: random.pick(["Customer Initiated", "User Initiated", "UserInitiated"]),
    describe: () => ({
      summary: "An authorized user or process stopped this resource.",
      context: "Customer Initiated",
      healthEventType: "Lifecycle",
      healthEventCause: "UserInitiated",
      reasonChronicity: "Persistent",
      recommendedActions: [action("To start this resource, open its page.", "ResourceBlade"), support],
    }),
  })

const gaps = (random: dice.Dice, now: number): ReadonlyArray<Phase> =>
  recurring(random, now, [1, 12], {
    state: "Unknown",
    reasonType: "",
    describe: () => ({
      summary: "The platform has received no information about this resource for 10 minutes.",
      reasonChronicity: "Transient",
      recommendedActions: [support],
    }),
  })

const isOutage = ({ reasonType, state }: Phase): boolean => reasonType === "Unplanned" && state === "Unavailable"

/** The most important first: a resource that an issue affects says so, even if it is also stopped. */
const phasesOf = (world: World, resource: Resource, now: number): ReadonlyArray<Phase> => {
  const random = dice.make(Hash.string(resource.uri))
  const impacts = eventsOf(world, resource)
    .filter(({ event }) => /^(ServiceIssue|PlannedMaintenance)$/i.test(event.properties?.eventType ?? ""))
    .map((event) => cachedImpactOf(resource, event))
  const rank = (phase: Phase) => (isOutage(phase) ? 0 : phase.reasonType === "Unplanned" ? 1 : 2)
  const ranked = impacts.toSorted((a, b) => rank(a) - rank(b))
  return [...ranked, ...stops(random, now), ...gaps(random, now), available]
}

interface Change {
  readonly at: number
  readonly phase: Phase
}

/** The changes that follow from the events, newest first; at least one. */
const changesOf = (world: World, resource: Resource): ReadonlyArray<Change> => {
  const now = Math.floor(world.now)
  const since = floor(now - historyLength, day)
  const phases = phasesOf(world, resource, now)
  const changes: Array<Change> = []
  const times = [since, ...phases.flatMap(({ from, to }) => [from, to])].filter((at) => at >= since && at <= now)
  for (const at of times.toSorted((a, b) => a - b)) {
    const phase = phases.find(({ from, to }) => from <= at && at < to) ?? available
    if (changes[0]?.phase !== phase) changes.unshift({ at, phase })
  }
  return changes
}

/** The status that a change begins. */
const statusOf = (changes: ReadonlyArray<Change>, index: number, now: number): StatusProperties => {
  const { at, phase } = changes[index] ?? { at: now, phase: available }
  const before = changes[index + 1]
  const isRecovery =
    index === 0 && phase === available && before !== undefined && isOutage(before.phase) && now - at < day
  return {
    availabilityState: phase.state,
    title: phase.state,
    detailedStatus: "",
    reasonType: phase.reasonType,
    ...phase.describe(),
    occuredTime: secondsOf(at),
    // The service last checked the current status at this time. It sends seven fraction digits.
    ...(index === 0 ? { reportedTime: `${new Date(now).toISOString().slice(0, 23)}0530Z` } : {}),
    ...(isRecovery
      ? {
          recentlyResolved: {
            unavailableOccuredTime: secondsOf(before.at),
            resolvedTime: secondsOf(at),
            unavailableSummary: before.phase.describe().summary ?? "",
          },
        }
      : {}),
  }
}

/** The statuses of a resource, newest first; at least one. */
export const history = (world: World, resource: Resource): ReadonlyArray<StatusProperties> => {
  const put = statusesOf(world, resource)
  const oldest = instantOf(put.at(-1)?.occuredTime) ?? Infinity
  const changes = changesOf(world, resource)
  const made = changes.flatMap(({ at }, index) => (at < oldest ? [statusOf(changes, index, world.now)] : []))
  return [...put, ...made]
}

/** The current status of a resource. */
export const current = (world: World, resource: Resource): StatusProperties =>
  statusesOf(world, resource)[0] ?? statusOf(changesOf(world, resource), 0, world.now)
