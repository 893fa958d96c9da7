/** What the statuses of a resource say: who caused its state, now and before. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import type { Evidence, Known, Source } from "../Evidence.js"
import * as Age from "./age.js"
import * as Incidents from "./incidentEvidence.js"

type Status = AvailabilityStatus.AvailabilityStatus

/** Whether the service checked the resource in the last 24 hours. */
export const isFresh = ({ properties }: Status, now: number): boolean =>
  Age.isFresh(Moment.parse(properties?.reportedTime), now)

/** Whether the status is that of the resource. IDs may begin with a slash or a prefix. */
const isOf = (resource: string, status: Status): boolean =>
  `/${ResourceId.key(AvailabilityStatus.resourceId(status) ?? "")}`.endsWith(`/${ResourceId.key(resource)}`)

const startOf = ({ properties }: Status): number | undefined => Moment.parse(properties?.occuredTime)

/** When it was checked, or else when it began. */
const checkedAt = (status: Status): number | undefined =>
  Moment.parse(status.properties?.reportedTime) ?? startOf(status)

const hasState = ({ properties }: Status): boolean => Boolean(properties?.availabilityState)

/** A state lasts until the next one began, and at least until it was checked: services leave the start of a state as it was before an outage. */
const endOf = (status: Status, next: Status | undefined): number | undefined => {
  if (!hasState(status)) return checkedAt(status)
  const end = next && startOf(next)
  return end && Math.max(end, checkedAt(status) ?? end)
}

const isSame = (one: Status, other: Status): boolean =>
  startOf(one) === startOf(other) && one.properties?.availabilityState === other.properties?.availabilityState

interface Entry {
  readonly status: Status
  readonly source: Source
}

type Statuses = Pick<Known, "current" | "history" | "now" | "resource">

/**
 * The one that was checked last comes first, and of several with one time the worst. The history repeats the current status, and may be newer. Other
 * resources and times to come do not count. The client has checked the ID of the current status, which may be missing.
 */
const entriesOf = ({ current, history, now, resource }: Statuses): ReadonlyArray<Entry> => {
  const isRepeated = (one: Status) => current.items.some((status) => isSame(one, status))
  const all = [
    ...current.items
      .filter((status) => !status.id || isOf(resource, status))
      .map((status): Entry => ({ status, source: "current status" })),
    ...history.items
      .filter((status) => isOf(resource, status) && !isRepeated(status) && !Moment.isFuture(checkedAt(status), now))
      .map((status): Entry => ({ status, source: "history" })),
  ]
  return all.toSorted(
    ({ status: one }, { status: other }) =>
      (checkedAt(other) ?? 0) - (checkedAt(one) ?? 0) ||
      (startOf(other) ?? 0) - (startOf(one) ?? 0) ||
      AvailabilityStatus.worstFirst(one, other),
  )
}

const latestOf = (entries: ReadonlyArray<Entry>): Status | undefined =>
  entries.find(({ source, status }) => hasState(status) || source === "current status")?.status

export const latest = (readings: Statuses): Status | undefined => latestOf(entriesOf(readings))

/** Whether it does not work. An unknown state says nothing. */
export const isDown = (status: Status): boolean =>
  hasState(status) && !AvailabilityStatus.isAvailable(status) && AvailabilityStatus.state(status) !== "Unknown"

/** Who caused a state. An available resource has no cause. */
export const causeOf = (status: Status): "platform" | "maintenance" | "customer" | undefined =>
  AvailabilityStatus.isAvailable(status) ? undefined : AvailabilityStatus.cause(status)

/** What the platform did for a moment: the resource is available again since then, as after a live migration. */
export const shortEventOf = (status: Status): "platform" | "maintenance" | undefined => {
  const cause = AvailabilityStatus.isAvailable(status) ? AvailabilityStatus.cause(status) : undefined
  return cause === "customer" || startOf(status) === undefined ? undefined : cause
}

/** Services write `There aren't any known platform problems` even in the status of a resource that is not available. */
const denies = /\b(no|not|aren't|isn't|any) (any )?known\b/i

/** What it says of its state. */
const titleOf = ({ properties }: Status): string => {
  const { availabilityState, detailedStatus, summary, title } = properties ?? {}
  const words = [summary, detailedStatus, title].find((text) => text?.trim() && !denies.test(text))
  return words ?? `the resource is ${Labels.orElse(availabilityState, "in an unknown state")}`
}

export const evidenceOf = (
  status: Status,
  facts: Pick<Evidence, "cause" | "phase" | "sources" | "subject" | "title"> & Pick<Partial<Evidence>, "until">,
): Evidence => ({
  since: startOf(status),
  until: undefined,
  trackingId: status.properties?.healthEventId || undefined,
  updated: checkedAt(status),
  services: [],
  regions: [],
  impactedResources: undefined,
  ...facts,
})

/** An event that a status names and that no list has. */
export const named = (trackingId: string): Evidence => ({
  ...evidenceOf(
    {},
    { cause: "platform", subject: "region", phase: "now", sources: ["current status"], title: `Event ${trackingId}` },
  ),
  trackingId,
})

/** A problem of the latest status that was resolved. The history says if the owner caused it. */
const recovery = (status: Status, entries: ReadonlyArray<Entry>): ReadonlyArray<Evidence> => {
  const resolved = status.properties?.recentlyResolved
  if (!resolved) return []
  const since = Moment.parse(resolved.unavailableOccuredTime)
  const until = Moment.parse(resolved.resolvedTime)
  const own = entries.find((entry) => {
    const start = startOf(entry.status)
    return start !== undefined && start >= (since ?? Infinity) && start < (until ?? -Infinity)
  })
  const title = Labels.orElse(resolved.unavailableSummary, "a problem of the platform was resolved")
  const cause = (own && causeOf(own.status)) ?? "platform"
  const found = evidenceOf(status, {
    cause,
    subject: "resource",
    phase: "ended",
    until,
    title,
    sources: ["current status"],
  })
  return [{ ...found, since, trackingId: undefined }]
}

/**
 * What the statuses say about a cause, and what the latest one says about incidents, and about a problem that was resolved. An entry without a state
 * is a short event.
 */
export const evidence = (readings: Statuses): ReadonlyArray<Evidence> => {
  const { now } = readings
  const entries = entriesOf(readings)
  const last = latestOf(entries)
  const phaseOf = (status: Status) => {
    if (status !== last) return "ended"
    const checked = checkedAt(status)
    return checked === undefined || Age.isFresh(checked, now) ? "now" : "stale"
  }
  return entries.flatMap(({ source, status }, index): ReadonlyArray<Evidence> => {
    const short = shortEventOf(status)
    const cause = causeOf(status) ?? short
    const phase = short ? "ended" : phaseOf(status)
    const next = entries.slice(0, index).findLast((entry) => hasState(entry.status))?.status
    const until = short ? startOf(status) : phase === "ended" ? endOf(status, next) : undefined
    const own =
      cause &&
      evidenceOf(status, { cause, subject: "resource", phase, until, title: titleOf(status), sources: [source] })
    return [
      ...(own ? [own] : []),
      ...(status === last ? [...Incidents.evidence(status, source, now), ...recovery(status, entries)] : []),
    ]
  })
}

/**
 * What the statuses of the resources in it say about the platform. What their owner did does not concern the resource. One that is down without a cause says
 * nothing certain.
 */
export const ofChildren = ({ children, now }: Pick<Known, "children" | "now">): ReadonlyArray<Evidence> =>
  children.items.flatMap((status): ReadonlyArray<Evidence> => {
    const cause = causeOf(status) ?? "platform"
    const name = AvailabilityStatus.resourceName(status) ?? ""
    const isSure = causeOf(status) !== undefined && isFresh(status, now)
    const title = `${name}: ${titleOf(status)}`
    const own = evidenceOf(status, {
      cause,
      subject: "part",
      phase: isSure ? "now" : "stale",
      title,
      sources: ["resources in it"],
    })
    return [
      ...(isDown(status) && cause !== "customer" ? [own] : []),
      ...Incidents.evidence(status, "resources in it", now).map((one) => ({ ...one, title: `${name}: ${one.title}` })),
    ]
  })
