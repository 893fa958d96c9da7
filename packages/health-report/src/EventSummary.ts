/** What a snapshot says about the current state, and how sure that is. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import { enumerate, enumerateSome, plural } from "@vigil/health-text/Sentence"
import * as Coverage from "@vigil/health-verdict/Coverage"
import type { Snapshot } from "./Snapshot.js"

/** Counts of the current state. @category models @since 0.2.0 */
export interface EventSummary {
  /** Active issues: events that are active (`Events.isActive`) and no notices (`HealthEvent.isNotice`). */
  readonly issues: number
  /** How many of the issues are service issues. */
  readonly serviceIssues: number
  /** How many of the issues are emerging issues. */
  readonly emergingIssues: number
  /** Active events of maintenance, advice or billing. */
  readonly notices: number
  /** Entries that could not be read. Each may be an issue. */
  readonly invalid: number
  /** Events whose status is missing or unknown. They count as active. */
  readonly unknownStatus: number
  /** The lists that could not be read, such as `Subscription x`. Each may have issues. */
  readonly failed: ReadonlyArray<string>
  /** The lists that may not be read, or were left out on request. */
  readonly gaps: ReadonlyArray<Coverage.Gap>
  /** Whether filters may have left out issues. */
  readonly isFiltered: boolean
}

/** Returns whether the status is neither active nor resolved. @category guards @since 0.2.0 */
export const isUnknownStatus = ({ properties }: HealthEvent.AnyEvent): boolean =>
  OpenEnum.find(Enumerations.EventStatus, properties?.status) === undefined

/** Counts the events of a snapshot. @category constructors @since 0.2.0 */
export const make = ({
  events,
  failed,
  gaps = [],
  invalid,
  isFiltered = false,
}: Pick<Snapshot, "events" | "failed" | "gaps" | "invalid" | "isFiltered">): EventSummary => {
  const active = events.filter(Events.isActive)
  const issues = active.filter((event) => !HealthEvent.isNotice(event))
  const count = (type: "EmergingIssues" | "ServiceIssue") =>
    issues.filter(({ properties }) => OpenEnum.equals(properties?.eventType, type)).length
  return {
    issues: issues.length,
    serviceIssues: count("ServiceIssue"),
    emergingIssues: count("EmergingIssues"),
    notices: active.length - issues.length,
    invalid,
    unknownStatus: events.filter(isUnknownStatus).length,
    failed: failed.map(({ source }) => source),
    gaps,
    isFiltered,
  }
}

/** Returns the doubts as sentences: what could not be read or understood. Empty without doubts. @category conversions @since 0.2.0 */
export const doubt = ({ failed, invalid, unknownStatus }: EventSummary): string =>
  [
    failed.length === 0 ? "" : `${enumerateSome(failed)} could not be read.`,
    invalid === 0 ? "" : `${plural(invalid, "entry", "entries")} could not be read.`,
    unknownStatus === 0
      ? ""
      : `${plural(unknownStatus, "event")} with an unknown status ${unknownStatus === 1 ? "counts" : "count"} as active.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")

const active = ({ emergingIssues, issues, serviceIssues }: EventSummary): string => {
  const known = serviceIssues + emergingIssues
  const kinds = enumerate(
    [
      plural(serviceIssues, "service issue"),
      plural(emergingIssues, "emerging issue"),
      plural(issues - known, known === 0 ? "issue" : "other issue"),
    ].filter((kind) => !kind.startsWith("0 ")),
  )
  const are = issues === 1 ? "is active" : "are active"
  return kinds.includes(" and ") ? `${plural(issues, "issue")} ${are}: ${kinds}` : `${kinds} ${are}`
}

/** Returns whether all was read that was asked for. @category guards @since 0.4.0 */
export const isSure = (summary: EventSummary): boolean =>
  doubt(summary) === "" && summary.gaps.every(({ kind }) => kind === "left out")

const bracketed = (phrases: ReadonlyArray<string>): string => (phrases.length === 0 ? "" : ` (${phrases.join("; ")})`)

/** Returns what a claim is not about: ` (not of the tenant)`. Empty if nothing lacks. @category conversions @since 0.4.0 */
export const remark = (gaps: Snapshot["gaps"] = []): string => bracketed(gaps.map((gap) => Coverage.brief(gap, String)))

const claim = (summary: EventSummary): string => {
  const selected = summary.isFiltered ? " that the filters select" : ""
  return summary.issues > 0 ? active(summary) : `No issue${selected} is ${isSure(summary) ? "" : "known to be "}active`
}

/**
 * Returns the summary as a phrase, such as `19 issues are active: 10 service issues and 9 emerging issues`. With doubts or
 * filters, it never says that no issue is active. It is about the events since `from` of the snapshot, and names the lists that it is not about.
 * @category conversions @since 0.2.0
 */
export const headline = (summary: EventSummary): string => claim(summary) + remark(summary.gaps)

/** Returns the headline and the doubts in one line, with the reason of each list that may not be read. @category conversions @since 0.2.0 */
export const text = (summary: EventSummary): string => {
  const gaps = bracketed(summary.gaps.map((gap) => Coverage.phrase(gap, String)))
  return `${claim(summary)}${gaps}. ${doubt(summary)}`.trimEnd()
}
