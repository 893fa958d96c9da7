/** Why a resource does not work: the platform, planned maintenance, an action of its owner, or nothing known. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import { plural } from "@vigil/health-text/Sentence"
import * as Arr from "effect/Array"
import type { Evidence, Known, Reading, Readings, Source } from "./Evidence.js"
import * as Events from "./internal/eventEvidence.js"
import * as Moment from "./internal/moment.js"
import * as Statuses from "./internal/statusEvidence.js"

/** Something that was not read, and why. @category models @since 0.2.0 */
export interface Unread {
  readonly source: Source
  readonly problem: string
  /** How many entries are invalid, if the list could be read. */
  readonly invalid?: number | undefined
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

/**
 * Returns the events of the subscription, active or recently resolved, that may concern the resource and do not name it. Read their impacted resources.
 * @category getters @since 0.2.0
 */
export const toCompare = (readings: Known): ReadonlyArray<HealthEvent.AnyEvent> => Events.toCompare(readings)

const order = {
  about: ["resource", "service", "uncertain", "other"],
  phase: ["now", "ended", "upcoming"],
  cause: ["platform", "maintenance", "customer", "notice"],
} as const

const rank = ({ about, cause, phase }: Evidence): number =>
  order.about.indexOf(about) * 16 + order.phase.indexOf(phase) * 4 + order.cause.indexOf(cause)

/** Lists repeat an event, and a status may name it. */
const keyOf = (evidence: Evidence): unknown =>
  evidence.trackingId === undefined ? evidence : `${evidence.cause} ${evidence.trackingId.toLowerCase()}`

/**
 * All evidence of now, of the last 24 hours, and of maintenance to come: that about the resource first, then that of now. Evidence with one cause and one
 * tracking ID is one.
 */
const evidenceOf = (readings: Readings): ReadonlyArray<Evidence> => {
  const byKey = new Map<unknown, Evidence>()
  const found = [...Events.evidence(readings), ...Statuses.evidence(readings)]
  for (const one of found.toSorted((a, b) => rank(a) - rank(b))) {
    const first = byKey.get(keyOf(one)) ?? one
    byKey.set(keyOf(one), { ...first, sources: [...new Set([...first.sources, ...one.sources])] })
  }
  return [...byKey.values()]
}

const notRead = { items: [], invalid: 0, problem: "Those of some events were not read." }

const unreadOf = (readings: Readings): ReadonlyArray<Unread> => {
  const { current, history, impacted, metadata, now, ownEvents, subscriptionEvents } = readings
  const isOld = current.items.some(
    ({ properties }) => !(Math.abs(now - (Moment.parse(properties?.reportedTime) ?? 0)) < Statuses.recent),
  )
  const compared = toCompare(readings).map((event) => impacted.get(HealthEvent.trackingKey(event) ?? "") ?? notRead)
  const lists: ReadonlyArray<readonly [Source, Omit<Reading<unknown>, "items">]> = [
    ["current status", current],
    ["history", history],
    ["events of the resource", ownEvents],
    ["events of the subscription", subscriptionEvents],
    ["metadata", metadata],
    ...compared.map(({ problem }) => ["impacted resources", { invalid: 0, problem }] as const),
    ["impacted resources", { invalid: compared.reduce((sum, { invalid }) => sum + invalid, 0), problem: undefined }],
  ]
  const unread = lists.flatMap(([source, { invalid, problem }]): ReadonlyArray<Unread> => [
    ...(problem === undefined ? [] : [{ source, problem }]),
    ...(invalid === 0
      ? []
      : [{ source, problem: `${plural(invalid, "entry", "entries")} could not be read.`, invalid }]),
  ])
  const old = "The service did not say that it checked the resource in the last 24 hours."
  return Arr.dedupe(isOld ? [{ source: "current status" as const, problem: old }, ...unread] : unread)
}

const verdictOf = (
  because: Evidence | undefined,
  isComplete: boolean,
  isAvailable: boolean,
): Explanation["verdict"] => {
  if (because === undefined) return isComplete && isAvailable ? "none" : "unknown"
  const isEnough = because.about !== "uncertain" && (because.cause !== "customer" || isComplete)
  return isEnough && because.cause !== "notice" ? because.cause : "unknown"
}

/**
 * Explains the state of a resource. What the status says about the platform comes first, then events that name the resource, then an action of its owner.
 * Events of the service and region that name no resources count, too, and so does what ended in the last 24 hours, if the resource is available. If anything
 * was not read, the verdict is never `customer` or `none`.
 * @category constructors @since 0.2.0
 */
export const make = (readings: Readings): Explanation => {
  const status = Statuses.latest(readings)
  const evidence = evidenceOf(readings)
  const unread = unreadOf(readings)
  const isAvailable = status && AvailabilityStatus.isAvailable(status)
  const cloud = evidence.filter(({ cause }) => cause === "platform" || cause === "maintenance")
  const find = (about: Evidence["about"], phase: Evidence["phase"]) =>
    cloud.find((one) => one.about === about && one.phase === phase)
  const ended = () => find("resource", "ended") ?? find("service", "ended")
  const because =
    cloud.find(({ phase, sources }) => phase === "now" && sources.includes("current status")) ??
    find("resource", "now") ??
    evidence.find(({ cause, phase }) => cause === "customer" && phase === "now") ??
    find("service", "now") ??
    (isAvailable === false ? undefined : ended()) ??
    find("uncertain", "now")
  const { from, now, resource } = readings
  const verdict = verdictOf(because, unread.length === 0, isAvailable === true)
  return { resource, now, from, status, verdict, because, evidence, unread }
}
