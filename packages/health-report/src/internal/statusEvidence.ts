/** What the statuses of a resource say: who caused its state, now and before. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import type { Evidence, Known, Source } from "../Evidence.js"
import * as Moment from "./moment.js"
import * as Progress from "./progress.js"

type Status = AvailabilityStatus.AvailabilityStatus

const hour = 3_600_000

/** How long a status says something about now. */
const fresh = 24 * hour

/** How much later than this machine's a clock of the service may be. */
const clockSkew = 300_000

/** How long the service may leave an incident without an update. */
const maxIncidentAge = 30 * 24 * hour

export const isFuture = (at: number | undefined, now: number): boolean => at !== undefined && at > now + clockSkew

/** How long an own action that ended may still explain a problem, such as a restart. */
const ownAction = hour / 2

/** How long what ended may still explain a problem: services show recently resolved problems for 24 hours. */
export const isRecent = ({ until }: Pick<Evidence, "until">, now: number, window = fresh): boolean =>
  until === undefined || until > now - window

/** Whether evidence is of now, of the time before it, or of the future. */
export const counts = (evidence: Evidence, now: number): boolean => {
  const { cause, phase, subject } = evidence
  if (phase !== "ended") return true
  return isRecent(evidence, now, cause === "customer" ? ownAction : subject === "region" ? hour : fresh)
}

/** Whether the service checked the resource in the last 24 hours. */
export const isFresh = ({ properties }: Status, now: number): boolean => {
  const checked = Moment.parse(properties?.reportedTime)
  return checked !== undefined && now - checked <= fresh && !isFuture(checked, now)
}

/** Whether the status is that of the resource. IDs may begin with a slash or a prefix, and may be missing. */
const isOf = (resource: string, status: Status): boolean => {
  const id = AvailabilityStatus.resourceId(status)
  return id === undefined || `/${ResourceId.key(id)}`.endsWith(`/${ResourceId.key(resource)}`)
}

const startOf = ({ properties }: Status): number | undefined => Moment.parse(properties?.occuredTime)

/** When it was checked, or else when it began. */
const checkedAt = (status: Status): number | undefined =>
  Moment.parse(status.properties?.reportedTime) ?? startOf(status)

const hasState = ({ properties }: Status): boolean => Boolean(properties?.availabilityState)

const isSame = (one: Status, other: Status): boolean =>
  startOf(one) === startOf(other) && one.properties?.availabilityState === other.properties?.availabilityState

interface Entry {
  readonly status: Status
  readonly source: Source
}

type Statuses = Pick<Known, "current" | "history" | "now" | "resource">

/** The one that was checked last comes first. The history repeats the current status, and may be newer. Other resources and times to come do not count. */
const entriesOf = ({ current, history, now, resource }: Statuses): ReadonlyArray<Entry> => {
  const isRepeated = (one: Status) => current.items.some((status) => isSame(one, status))
  const all = [
    ...current.items.map((status): Entry => ({ status, source: "current status" })),
    ...history.items
      .filter((status) => !isRepeated(status) && !isFuture(checkedAt(status), now))
      .map((status): Entry => ({ status, source: "history" })),
  ]
  return all
    .filter(({ status }) => isOf(resource, status))
    .toSorted(
      ({ status: one }, { status: other }) =>
        (checkedAt(other) ?? 0) - (checkedAt(one) ?? 0) || (startOf(other) ?? 0) - (startOf(one) ?? 0),
    )
}

const latestOf = (entries: ReadonlyArray<Entry>): Status | undefined =>
  entries.find(({ source, status }) => hasState(status) || source === "current status")?.status

export const latest = (readings: Statuses): Status | undefined => latestOf(entriesOf(readings))

/** Evidence without what only events have. */
const blank = { services: [], regions: [], impactedResources: undefined, trackingId: undefined } as const

/** An event that a status names and that no list has. */
export const named = (trackingId: string): Evidence => ({
  ...blank,
  cause: "platform",
  subject: "region",
  phase: "now",
  since: undefined,
  until: undefined,
  title: `Event ${trackingId}`,
  trackingId,
  sources: ["current status"],
  updated: undefined,
})

/** Whether it does not work. An unknown state says nothing. */
export const isDown = (status: Status): boolean =>
  hasState(status) && !AvailabilityStatus.isAvailable(status) && AvailabilityStatus.state(status) !== "Unknown"

/** Who caused a state. An available resource has no cause. */
export const causeOf = (status: Status): "platform" | "maintenance" | "customer" | undefined =>
  AvailabilityStatus.isAvailable(status) ? undefined : AvailabilityStatus.cause(status)

const phaseOfIncident = (since: number | undefined, updated: number | undefined, word: string, now: number) => {
  const progress = Progress.of(word)
  if (progress !== "now") return progress
  if (isFuture(since, now)) return "upcoming"
  return now - (updated ?? since ?? now) > maxIncidentAge ? "stale" : "now"
}

/** The incidents of the platform that a status names: they may affect the resource. */
const incidents = (status: Status, source: Source, now: number): ReadonlyArray<Evidence> =>
  (status.properties?.serviceImpactingEvents ?? []).flatMap((incident): ReadonlyArray<Evidence> => {
    const { incidentType, region, service, title } = incident.incidentProperties ?? {}
    const since = Moment.parse(incident.eventStartTime)
    const updated = Moment.parse(incident.eventStatusLastModifiedTime)
    const phase = phaseOfIncident(since, updated, incident.status?.value ?? "", now)
    if (phase === "cancelled") return []
    return [
      {
        ...blank,
        cause:
          /maintenance|planned/i.test(incidentType ?? "") && !/unplanned/i.test(incidentType ?? "")
            ? "maintenance"
            : "platform",
        subject: "service",
        phase,
        since,
        until: phase === "ended" ? updated : undefined,
        title: Labels.orElse(title, `An incident of ${Labels.orElse(service, "a service")}`),
        sources: [source],
        updated,
        services: Labels.distinct([service]),
        regions: Labels.distinct([region]),
      },
    ]
  })

/** Services write `There aren't any known platform problems` even in the status of a resource that is not available. */
const denies = /\b(no|not|aren't|isn't|any) (any )?known\b/i

const titleOf = ({ properties }: Status): string => {
  const { detailedStatus, summary, title } = properties ?? {}
  const words = [summary, detailedStatus, title].find((text) => text?.trim() && !denies.test(text))
  return words ?? "The status does not say more"
}

/** A problem of the latest status that was resolved. The history says if the owner caused it. */
const recovery = (status: Status, entries: ReadonlyArray<Entry>): ReadonlyArray<Evidence> => {
  const resolved = status.properties?.recentlyResolved
  if (!resolved) return []
  const since = Moment.parse(resolved.unavailableOccuredTime)
  const until = Moment.parse(resolved.resolvedTime)
  const own = entries.find((entry) => {
    const start = startOf(entry.status)
    return start !== undefined && start >= (since ?? Infinity) - clockSkew && start < (until ?? -Infinity)
  })
  return [
    {
      ...blank,
      cause: (own && causeOf(own.status)) ?? "platform",
      subject: "resource",
      phase: "ended",
      since,
      until,
      title: Labels.orElse(resolved.unavailableSummary, "A problem of the platform was resolved"),
      sources: ["current status"],
      updated: checkedAt(status),
    },
  ]
}

/**
 * What the statuses say about a cause, and what the latest one says about incidents, and about a problem that was resolved. A state lasts until the next one.
 * An entry without a state is a short event.
 */
export const evidence = (readings: Statuses): ReadonlyArray<Evidence> => {
  const { now } = readings
  const entries = entriesOf(readings)
  const last = latestOf(entries)
  let next: number | undefined
  return entries.flatMap(({ source, status }): ReadonlyArray<Evidence> => {
    const isLast = status === last
    const cause = causeOf(status)
    const since = startOf(status)
    const until = hasState(status) ? next : (since ?? checkedAt(status))
    if (hasState(status)) next = since ?? next
    const checked = checkedAt(status)
    const isOld = checked !== undefined && now - checked > fresh
    const own: Evidence | undefined = cause && {
      ...blank,
      cause,
      subject: "resource",
      ...(isLast
        ? { phase: isOld || isFuture(checked, now) ? "stale" : "now", since, until: undefined }
        : { phase: "ended", since, until }),
      title: titleOf(status),
      trackingId: status.properties?.healthEventId || undefined,
      sources: [source],
      updated: checked,
    }
    return [...(own ? [own] : []), ...(isLast ? [...incidents(status, source, now), ...recovery(status, entries)] : [])]
  })
}

/** What the statuses of the resources in it say about the platform. What their owner did does not concern the resource. */
export const ofChildren = ({ children, now }: Pick<Known, "children" | "now">): ReadonlyArray<Evidence> =>
  children.items
    .filter((status) => isFresh(status, now))
    .flatMap((status): ReadonlyArray<Evidence> => {
      const cause = causeOf(status)
      const name = AvailabilityStatus.resourceName(status) ?? ""
      const own: Evidence = {
        ...blank,
        cause: cause ?? "notice",
        subject: "part",
        phase: "now",
        since: startOf(status),
        until: undefined,
        title: `${name}: ${titleOf(status)}`,
        trackingId: status.properties?.healthEventId || undefined,
        sources: ["resources in it"],
        updated: checkedAt(status),
      }
      return [
        ...(cause === "platform" || cause === "maintenance" ? [own] : []),
        ...incidents(status, "resources in it", now),
      ]
    })
