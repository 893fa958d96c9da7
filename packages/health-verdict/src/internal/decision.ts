/** The decision: the first row of one table that evidence matches. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Order from "effect/Order"
import { type Evidence, type Readings, type Source, empty } from "../Evidence.js"
import * as Age from "./age.js"
import * as Events from "./eventEvidence.js"
import * as Gaps from "./gaps.js"
import * as Listed from "./listed.js"
import * as Statuses from "./statusEvidence.js"

type Cause = Exclude<Evidence["cause"], "notice">

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

/** So that the same event is found whatever list has it: the latest one, which is the nearest to a state of now. */
const latestFirst = Order.mapInput(
  Order.flip(Order.Number),
  ({ since, until }: Evidence) => until ?? since ?? -Infinity,
)

const order: Order.Order<Evidence> = Order.combineAll([
  bySubject,
  byPhase,
  by("cause", "platform", "maintenance", "customer", "notice"),
])

/** Lists repeat an event, and a status may name it. */
const keyOf = (evidence: Evidence): unknown =>
  evidence.trackingId === undefined ? evidence : `${evidence.cause} ${evidence.trackingId.toLowerCase()}`

export const isConfirmed = ({ subject }: Evidence): boolean => Listed.confirmed.some((one) => one === subject)

/** A notice may help if it names the resource. What only concerns others is shown while it lasts. */
const isShown = (evidence: Evidence): boolean => {
  const { cause, phase, subject } = evidence
  const isNotice = cause === "notice"
  if (subject === "other") return phase === "now" && !isNotice
  return !isNotice || (phase !== "ended" && isConfirmed(evidence))
}

/** The evidence that counts. Evidence with one cause and one tracking ID is one. */
const evidenceOf = (readings: Readings, more: ReadonlyArray<Evidence>): ReadonlyArray<Evidence> => {
  const byKey = new Map<unknown, Evidence>()
  const unlisted = Events.unlisted(readings)
  const found = [
    ...Events.evidence(readings).toSorted(latestFirst),
    ...Statuses.evidence(readings),
    ...more,
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

/** `more`: evidence of further lists. Lists of statuses and events have none, so that a page does not contain what reads it. */
export const make = (readings: Readings, more: ReadonlyArray<Evidence> = []) => {
  const { from, now, resource } = readings
  const status = Statuses.latest(readings)
  const evidence = evidenceOf(readings, more)
  const isAvailable = status !== undefined && AvailabilityStatus.isAvailable(status)
  const isUnexplained = status !== undefined && Statuses.isDown(status) && Statuses.causeOf(status) === undefined
  const decision = decide(evidence, { isAvailable, isUnexplained })
  // Of what its owner does now, no other cause is likelier but an issue that lasts.
  const isOwnNow = decision?.cause === "customer" && decision.because.phase === "now"
  const compared = Events.toCompare(readings).filter(({ isNamed, mayLast }) => !isNamed && (mayLast || !isOwnNow))
  const needsServices = !isOwnNow || Events.needsServices(readings, Events.mayLast) || more.some(Events.mayLast)
  const unread = Gaps.make(
    needsServices ? readings : { ...readings, metadata: empty },
    compared.map(({ event }) => event),
  )
  const isComplete = unread.length === 0
  const notCovered: ReadonlyArray<Source> = readings.tenantEvents === undefined ? ["events of the tenant"] : []
  const ownAction = evidence.find(
    ({ cause, phase, sources }) => cause === "customer" && phase === "now" && sources.some(isStatus),
  )
  const facts = { resource, now, from, status, ownAction, evidence, unread, notCovered }
  if (decision === undefined) {
    const verdict: "none" | "unknown" = isComplete && isAvailable ? "none" : "unknown"
    return { ...facts, verdict, because: undefined, suspect: undefined }
  }
  const { because, cause, verdict } = decision
  return verdict === "cause" || (verdict === "cause if complete" && isComplete)
    ? { ...facts, verdict: cause, because, suspect: undefined }
    : { ...facts, verdict: "unknown" as const, because: undefined, suspect: because }
}
