/** Why a resource does not work: the platform, planned maintenance, an action of its owner, or nothing known. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import { plural } from "@vigil/health-text/Sentence"
import {
  type Evidence,
  type Reading,
  type Readings,
  type Source,
  all as allEvidence,
  latestStatus,
  recent,
  toCompare,
} from "./Evidence.js"
import * as Moment from "./internal/moment.js"

/** Something that was not read, and why. @category models @since 0.2.0 */
export interface Unread {
  readonly source: Source
  readonly problem: string
}

/**
 * Why a resource does not work. `none` means that all was read, and nothing that is known explains it. `unknown` means that evidence is missing.
 * @category models @since 0.2.0
 */
export interface Explanation extends Pick<Readings, "from" | "now" | "resource"> {
  readonly verdict: "platform" | "maintenance" | "customer" | "none" | "unknown"
  /** The evidence of the verdict. `unknown` may have some, which is not enough. */
  readonly because: Evidence | undefined
  /** All evidence: that about the resource and that of now first. */
  readonly evidence: ReadonlyArray<Evidence>
  readonly unread: ReadonlyArray<Unread>
  /** The latest status. */
  readonly status: AvailabilityStatus.AvailabilityStatus | undefined
}

const problemsOf = (source: Source, { invalid, problem }: Reading<unknown>): ReadonlyArray<Unread> => [
  ...(problem === undefined ? [] : [{ source, problem }]),
  ...(invalid === 0 ? [] : [{ source, problem: `${plural(invalid, "entry", "entries")} could not be read.` }]),
]

const unreadOf = (readings: Readings): ReadonlyArray<Unread> => {
  const [status] = readings.current.items
  const { invalid, problem } = readings.current
  const checked = Moment.parse(status?.properties?.reportedTime)
  const stale =
    status === undefined && problem === undefined && invalid === 0
      ? "The service returned no status."
      : checked !== undefined && checked < readings.now - recent
        ? "The service last checked the resource more than a day ago."
        : undefined
  const missing = toCompare(readings).filter((event) => !readings.impacted.has(HealthEvent.eventKey(event) ?? ""))
  return [
    ...problemsOf("current status", { ...readings.current, problem: problem ?? stale }),
    ...problemsOf("history", readings.history),
    ...problemsOf("events of the resource", readings.ownEvents),
    ...problemsOf("events of the subscription", readings.subscriptionEvents),
    ...[...readings.impacted.values()].flatMap((one) => problemsOf("impacted resources", one)),
    ...(missing.length === 0
      ? []
      : problemsOf("impacted resources", {
          items: [],
          invalid: 0,
          problem: `Those of ${plural(missing.length, "event")} were not read.`,
        })),
  ]
}

/** What the status says about the platform, or the event that it names. */
const stated = (all: ReadonlyArray<Evidence>): Evidence | undefined => {
  const isOpen = ({ cause, phase }: Evidence) => phase === "now" && (cause === "platform" || cause === "maintenance")
  const status = all.find((one) => isOpen(one) && one.sources.some((source) => source === "current status"))
  const event = all.find(
    (one) =>
      isOpen(one) && one.cause === status?.cause && one.trackingId?.toLowerCase() === status?.trackingId?.toLowerCase(),
  )
  return event ?? status
}

/**
 * Explains the state of a resource. What the status says about the platform comes first, then events that name the resource, then an action of its owner, and at
 * last what ended in the last 24 hours. Events of the service and region that name no resources count for the platform. If anything was not read, the verdict is never `customer` or
 * `none`.
 * @category constructors @since 0.2.0
 */
export const make = (readings: Readings): Explanation => {
  const status = latestStatus(readings)
  const all = allEvidence(readings)
  const unread = unreadOf(readings)
  const find = (about: Evidence["about"], phase: Evidence["phase"], ...causes: ReadonlyArray<Evidence["cause"]>) =>
    all.find((one) => one.about === about && one.phase === phase && causes.includes(one.cause))
  const isUnexplained = status !== undefined && !AvailabilityStatus.isAvailable(status)

  const decide = (): Pick<Explanation, "verdict" | "because"> => {
    const cloud = ["platform", "maintenance"] as const
    const because = (one: Evidence | undefined) =>
      one && { verdict: one.cause === "maintenance" ? ("maintenance" as const) : ("platform" as const), because: one }
    const named = because(stated(all) ?? find("resource", "now", ...cloud))
    if (named) return named
    const own = find("resource", "now", "customer")
    if (own) return { verdict: unread.length === 0 ? "customer" : "unknown", because: own }
    const past = find("resource", "ended", ...cloud) ?? find("service", "ended", ...cloud)
    const near = because(find("service", "now", ...cloud) ?? (isUnexplained ? undefined : past))
    if (near) return near
    const doubt = find("uncertain", "now", ...cloud)
    const isKnown = unread.length === 0 && !isUnexplained && doubt === undefined
    return { verdict: isKnown ? "none" : "unknown", because: doubt }
  }
  const { from, now, resource } = readings
  return { resource, now, from, status, evidence: all, unread, ...decide() }
}
