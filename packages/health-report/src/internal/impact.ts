/** How sure it is that evidence concerns a resource: the words of explanations, and of each row of a page, a report and a timeline. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Moment from "@vigil/health-text/Moment"
import type { Assessment } from "@vigil/health-verdict/Assessment"
import type { Evidence } from "@vigil/health-verdict/Evidence"
import * as Explanation from "@vigil/health-verdict/Explanation"

const reaches = {
  resource: "it names the resource",
  parent: "it names what contains the resource",
  part: "it names what is in the resource",
  service: "it is about its service and region, and names no resources",
  peers: "it is about its service and region, and names other resources",
  region: "it may be about its service or region",
  other: "it is about other resources",
}

/** `Potential: it may be about its service or region`. */
export const text = (evidence: Evidence): string =>
  `${Explanation.isConfirmed(evidence) ? "Confirmed" : "Potential"}: ${reaches[evidence.subject]}`

/** `confirmed`, unless `Assessment.who` says how sure it is. */
export const grade = ({ evidence, state, status, verdict }: Assessment): string => {
  const isUnchecked = state === "Unknown" && AvailabilityStatus.isAvailable(status)
  const isSaid = evidence?.phase !== "now" || verdict === "unknown" || isUnchecked
  return !isSaid && Explanation.isConfirmed(evidence) ? "confirmed" : ""
}

/** Why that is so, unless the evidence names the resource, or has ended. */
export const reach = ({ evidence }: Assessment, now: number): string => {
  if (evidence === undefined) return ""
  const { phase, sources, subject, updated } = evidence
  if (phase === "stale" && updated !== undefined) return `last reported ${Moment.age(updated, now)}`
  if (phase === "ended" || subject === "resource") return ""
  return subject === "region" && sources.includes("current status") ? "no list that was read has it" : reaches[subject]
}
