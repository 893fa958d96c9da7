/** What the statuses of a resource say: who caused its state, now and before. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import type { Evidence, Known } from "../Evidence.js"
import * as Moment from "./moment.js"

/** How long what ended may still explain a problem, in milliseconds: services show recently resolved problems as long. */
export const recent = 24 * 3_600_000

/** Whether it impacts the resource now, or did so recently. */
export const isRecent = ({ phase, until }: Pick<Evidence, "phase" | "until">, now: number): boolean =>
  phase === "now" || (phase === "ended" && (until === undefined || until > now - recent))

type Status = AvailabilityStatus.AvailabilityStatus

/** An available resource has a cause only if an event is still active. */
const causeOf = (status: Status): Evidence["cause"] | undefined =>
  AvailabilityStatus.isAvailable(status) && AvailabilityStatus.activeEvents(status).length === 0
    ? undefined
    : AvailabilityStatus.cause(status)

const hasState = ({ properties }: Status): boolean => Boolean(properties?.availabilityState)

/** When a state began, or else when it was checked. */
const timeOf = ({ properties }: Status): number | undefined =>
  Moment.parse(properties?.occuredTime) ?? Moment.parse(properties?.reportedTime)

const isSame = (one: Status, other: Status): boolean =>
  timeOf(one) === timeOf(other) && one.properties?.availabilityState === other.properties?.availabilityState

/** Latest first. The history repeats the current status, and may be newer. */
const statusesOf = ({ current, history }: Known): ReadonlyArray<Status> =>
  [...current.items, ...history.items.filter((one) => !current.items.some((status) => isSame(one, status)))].toSorted(
    (one, other) => (timeOf(other) ?? 0) - (timeOf(one) ?? 0),
  )

export const latest = (readings: Known): Status | undefined =>
  statusesOf(readings).find((status) => hasState(status) || readings.current.items.includes(status))

/**
 * What the statuses say about a cause, and what the latest one says about a problem that was resolved. A state lasts until the next one. An entry without a
 * state is a short event.
 */
export const evidence = (readings: Known): ReadonlyArray<Evidence> => {
  const now = latest(readings)
  let next: number | undefined
  const all = statusesOf(readings).flatMap((status): ReadonlyArray<Evidence> => {
    const { healthEventId, recentlyResolved: resolved, reportedTime, summary, title } = status.properties ?? {}
    const cause = causeOf(status)
    const since = timeOf(status)
    const until = hasState(status) ? next : since
    if (hasState(status)) next = since
    const facts = {
      about: "resource",
      sources: [readings.current.items.includes(status) ? "current status" : "history"],
      updated: Moment.parse(reportedTime) ?? since,
    } as const
    const own: Evidence | undefined = cause && {
      ...facts,
      cause,
      ...(status === now ? { phase: "now", since, until: undefined } : { phase: "ended", since, until }),
      title: Labels.orElse(summary, Labels.orElse(title, "The status has no summary")),
      trackingId: healthEventId || undefined,
    }
    const recovery: Evidence = {
      ...facts,
      cause: "platform",
      phase: "ended",
      since: Moment.parse(resolved?.unavailableOccuredTime),
      until: Moment.parse(resolved?.resolvedTime),
      title: Labels.orElse(resolved?.unavailableSummary, "A problem of the platform was resolved"),
      trackingId: undefined,
    }
    return [...(own ? [own] : []), ...(resolved && status === now ? [recovery] : [])]
  })
  return all.filter((one) => isRecent(one, readings.now))
}
