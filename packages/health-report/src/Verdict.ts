/** What a snapshot says about the current state, and how sure that is. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import { plural } from "./internal/plural.js"
import * as Severity from "./Severity.js"
import type { Snapshot } from "./Snapshot.js"

/** Counts of the current state. @category models @since 0.2.0 */
export interface Verdict {
  /** Active service issues. */
  readonly issues: number
  /** Active events of maintenance, advice or billing. */
  readonly notices: number
  /** Entries that could not be read. Each may be a service issue. */
  readonly invalid: number
  /** Events whose status is missing or unknown. They count as active. */
  readonly unknownStatus: number
}

/** Returns whether the status is neither active nor resolved. @category guards @since 0.2.0 */
export const isUnknownStatus = ({ properties }: HealthEvent.AnyEvent): boolean =>
  OpenEnum.find(Enumerations.EventStatus, properties?.status) === undefined

/** Counts the events of a snapshot. @category constructors @since 0.2.0 */
export const make = ({ events, invalid }: Pick<Snapshot, "events" | "invalid">): Verdict => {
  const active = events.filter((event) => !HealthEvent.isResolved(event))
  const notices = active.filter(Severity.isNotice).length
  return { issues: active.length - notices, notices, invalid, unknownStatus: events.filter(isUnknownStatus).length }
}

/** Returns the doubts as a sentence: what could not be read or understood. Empty without doubts. @category conversions @since 0.2.0 */
export const doubt = ({ invalid, unknownStatus }: Verdict): string =>
  [
    ...(invalid === 0 ? [] : [`${plural(invalid, "entry", "entries")} could not be read.`]),
    ...(unknownStatus === 0
      ? []
      : [
          `${plural(unknownStatus, "event")} with an unknown status ${unknownStatus === 1 ? "counts" : "count"} as active.`,
        ]),
  ].join(" ")

/** Returns the verdict as a phrase. With doubts, it never says that no issue is active. @category conversions @since 0.2.0 */
export const headline = (verdict: Verdict): string =>
  verdict.issues > 0
    ? `${plural(verdict.issues, "service issue")} ${verdict.issues === 1 ? "is" : "are"} active`
    : doubt(verdict) === ""
      ? "No service issue is active"
      : "No service issue is known to be active"

/** Returns the headline and the doubts in one line. @category conversions @since 0.2.0 */
export const text = (verdict: Verdict): string => `${headline(verdict)}. ${doubt(verdict)}`.trimEnd()
