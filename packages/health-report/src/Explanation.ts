/** Why a resource does not work: the platform, planned maintenance, an action of its owner, or nothing known. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Order from "effect/Order"
import { type Evidence, type Known, type Readings, type Source, type Unread, empty } from "./Evidence.js"
import * as Age from "./internal/age.js"
import * as Events from "./internal/eventEvidence.js"
import * as Gaps from "./internal/gaps.js"
import * as Issues from "./internal/issueEvidence.js"
import * as Listed from "./internal/listed.js"
import * as Statuses from "./internal/statusEvidence.js"

type Cause = Exclude<Evidence["cause"], "notice">

interface Facts extends Pick<Readings, "from" | "now" | "resource"> {
  /** All evidence: that about the resource and that of now first. */
  readonly evidence: ReadonlyArray<Evidence>
  /** What was not read. Empty with the verdicts `none` and `customer`. */
  readonly unread: ReadonlyArray<Unread>
  /** The lists that were left out on request. */
  readonly notCovered: ReadonlyArray<Source>
  /** What its owner did, as its latest status says, whatever the verdict: the platform does not start what its owner stopped. */
  readonly ownAction: Evidence | undefined
  /** The latest status. */
  readonly status: AvailabilityStatus.AvailabilityStatus | undefined
}

/**
 * Why a resource does not work. `because` is the evidence of the verdict. `none` means that all was read, and nothing that is known explains it. `unknown`
 * means that evidence is missing, or that `suspect` may explain it.
 * @category models @since 0.2.0
 */
export type Explanation = Facts &
  (
    | { readonly verdict: Cause; readonly because: Evidence; readonly suspect: undefined }
    | { readonly verdict: "none"; readonly because: undefined; readonly suspect: undefined }
    | { readonly verdict: "unknown"; readonly because: undefined; readonly suspect: Evidence | undefined }
  )

interface Row {
  readonly cause: ReadonlyArray<Cause>
  readonly subject: ReadonlyArray<Evidence["subject"]>
  readonly phase: Evidence["phase"]
  /** What else must be true. `available`: the state of the resource. `unexplained`: the resource is down, and its status does not say why. */
  readonly when?: "said by a status" | "available" | "not available" | "unexplained"
  /** `cause`: that of the evidence. `cause if complete`: `maybe` if anything was not read. */
  readonly verdict: "cause" | "cause if complete" | "maybe"
}

const cloud = ["platform", "maintenance"] as const
const potential = ["service", "peers", "region"] as const
/** The decision: the first row that evidence matches. Without a match, nothing known explains the state. */
const rows: ReadonlyArray<Row> = [
  { cause: cloud, subject: ["resource"], phase: "now", when: "said by a status", verdict: "cause" },
  { cause: ["platform"], subject: ["resource", "parent"], phase: "now", verdict: "cause" },
  { cause: ["customer"], subject: ["resource"], phase: "now", when: "not available", verdict: "cause if complete" },
  { cause: ["maintenance"], subject: ["resource", "parent"], phase: "now", verdict: "cause" },
  { cause: cloud, subject: ["part"], phase: "now", verdict: "cause" },
  { cause: ["platform"], subject: ["service"], phase: "now", when: "unexplained", verdict: "cause" },
  { cause: cloud, subject: ["resource", "parent"], phase: "ended", when: "available", verdict: "cause" },
  { cause: cloud, subject: potential, phase: "now", verdict: "maybe" },
  { cause: ["customer"], subject: ["resource"], phase: "now", verdict: "maybe" },
  { cause: ["customer"], subject: ["resource"], phase: "ended", when: "available", verdict: "cause if complete" },
  { cause: cloud, subject: [...Listed.confirmed, ...potential], phase: "ended", verdict: "maybe" },
  { cause: [...cloud, "customer"], subject: ["resource", "part", ...potential], phase: "stale", verdict: "maybe" },
]

/** What the rows ask about the resource. */
interface Condition {
  readonly isAvailable: boolean
  /** Whether it is down, and its status does not say why. */
  readonly isUnexplained: boolean
}

const isStatus = (source: Source): boolean => source === "current status" || source === "history"

const holds = ({ when }: Row, { sources }: Evidence, { isAvailable, isUnexplained }: Condition): boolean => {
  if (when === "said by a status") return sources.some(isStatus)
  if (when === "available") return isAvailable
  if (when === "not available") return !isAvailable
  return when === undefined || isUnexplained
}

const decide = (evidence: ReadonlyArray<Evidence>, condition: Condition) => {
  for (const row of rows)
    for (const because of evidence) {
      const cause = row.cause.find((one) => one === because.cause)
      const isMatch =
        row.subject.includes(because.subject) && row.phase === because.phase && holds(row, because, condition)
      if (cause !== undefined && isMatch) return { because, cause, verdict: row.verdict }
    }
  return undefined
}

const by = <K extends "cause" | "phase" | "subject">(field: K, ...values: ReadonlyArray<Evidence[K]>) =>
  Order.mapInput(Order.Number, (evidence: Evidence) => values.indexOf(evidence[field]))

const bySubject = by("subject", "resource", "parent", "part", "service", "peers", "region", "other")

const byPhase = by("phase", "now", "ended", "stale", "upcoming")

const order: Order.Order<Evidence> = Order.combineAll([
  bySubject,
  byPhase,
  by("cause", "platform", "maintenance", "customer", "notice"),
])

/** Lists repeat an event, and a status may name it. */
const keyOf = (evidence: Evidence): unknown =>
  evidence.trackingId === undefined ? evidence : `${evidence.cause} ${evidence.trackingId.toLowerCase()}`

/** Returns whether evidence names the resource, what contains it, or what is in it. @category guards @since 0.3.0 */
export const isConfirmed = ({ subject }: Evidence): boolean => Listed.confirmed.some((one) => one === subject)

/** A notice may help if it names the resource. What only concerns others is shown while it lasts. */
const isShown = (evidence: Evidence): boolean => {
  const { cause, phase, subject } = evidence
  const isNotice = cause === "notice"
  if (subject === "other") return phase === "now" && !isNotice
  return !isNotice || (phase !== "ended" && isConfirmed(evidence))
}

/** The evidence that counts. Evidence with one cause and one tracking ID is one. */
const evidenceOf = (readings: Readings): ReadonlyArray<Evidence> => {
  const byKey = new Map<unknown, Evidence>()
  const unlisted = Events.unlisted(readings)
  const found = [
    ...Events.evidence(readings),
    ...Issues.evidence(readings),
    ...Statuses.evidence(readings),
    ...Statuses.ofChildren(readings),
    ...(unlisted === undefined ? [] : [Statuses.named(unlisted)]),
  ].filter((one) => Age.counts(one, readings.now) && isShown(one))
  for (const one of found.toSorted(order)) {
    const first = byKey.get(keyOf(one)) ?? one
    // What is still active somewhere is active.
    const { phase, since, until, updated } = byPhase(one, first) < 0 ? one : first
    const sources = [...new Set([...first.sources, ...one.sources])]
    byKey.set(keyOf(one), { ...first, phase, since, until, updated, sources })
  }
  return [...byKey.values()].toSorted(order)
}

/** An event whose impacted resources are to be read, and the list that has it. @category models @since 0.3.0 */
export interface ToCompare extends Events.ToCompare {}

/** Returns the events that may explain the state, in any region. Read their impacted resources. @category getters @since 0.2.0 */
export const toCompare = (known: Known): ReadonlyArray<ToCompare> => Events.toCompare(known)

/** Returns whether the explanation depends on which types of resources belong to a service. @category guards @since 0.3.0 */
export const needsMetadata = (known: Known): boolean =>
  Events.needsServices(known) || Issues.evidence({ ...known, impacted: new Map(), metadata: empty }).length > 0

/**
 * Explains the state of a resource, by the first row of one table. What a status says about the platform comes first, then events that name the resource, then
 * an action of its owner. What may concern it makes the verdict `unknown`, with a `suspect`. If anything was not read, the verdict is never `customer`
 * or `none`.
 * @category constructors @since 0.2.0
 */
export const make = (readings: Readings): Explanation => {
  const { from, now, resource } = readings
  const status = Statuses.latest(readings)
  const evidence = evidenceOf(readings)
  const unread = Gaps.make(
    readings,
    toCompare(readings).flatMap(({ event, isNamed }) => (isNamed ? [] : [event])),
  )
  const isAvailable = status !== undefined && AvailabilityStatus.isAvailable(status)
  const isUnexplained = status !== undefined && Statuses.isDown(status) && Statuses.causeOf(status) === undefined
  const decision = decide(evidence, { isAvailable, isUnexplained })
  const isComplete = unread.length === 0
  const notCovered: ReadonlyArray<Source> = readings.tenantEvents === undefined ? ["events of the tenant"] : []
  const ownAction = evidence.find(
    ({ cause, phase, sources }) => cause === "customer" && phase === "now" && sources.some(isStatus),
  )
  const facts = { resource, now, from, status, ownAction, evidence, unread, notCovered }
  if (decision === undefined) {
    const verdict = isComplete && isAvailable ? "none" : "unknown"
    return { ...facts, verdict, because: undefined, suspect: undefined }
  }
  const { because, cause, verdict } = decision
  return verdict === "cause" || (verdict === "cause if complete" && isComplete)
    ? { ...facts, verdict: cause, because, suspect: undefined }
    : { ...facts, verdict: "unknown", because: undefined, suspect: because }
}
