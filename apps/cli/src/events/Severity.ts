/** The severity of events, and the difference between issues and notices. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import type { AnyEvent } from "./AnyEvent.js"

/** The levels, highest first. `Other` covers unknown levels. */
export const all = ["Critical", "Error", "Warning", "Informational", "Other"] as const

export type Severity = (typeof all)[number]

/** The level as sent: the first known one of `eventLevel` and `level`, else the first non-empty one. */
export const level = ({ properties }: AnyEvent): string | undefined => {
  const sent = [properties?.eventLevel, properties?.level].flatMap((text) => text || [])
  return sent.find((text) => OpenEnum.find(Enumerations.EventLevel, text) !== undefined) ?? sent[0]
}

export const fromEvent = (event: AnyEvent): Severity => HealthEvent.knownLevel(event) ?? "Other"

export const rank = (severity: Severity): number => all.indexOf(severity)

export const worst = (severities: ReadonlyArray<Severity>): Severity =>
  severities.reduce<Severity>((worst, one) => (rank(one) < rank(worst) ? one : worst), "Other")

/** All other types are issues, unknown types included. */
const notices: ReadonlySet<string | undefined> = new Set([
  "PlannedMaintenance",
  "HealthAdvisory",
  "RCA",
  "SecurityAdvisory",
  "Billing",
])

/** Whether the event is not an issue: maintenance, an advisory, a review or billing. */
export const isNotice = (event: AnyEvent): boolean =>
  notices.has(OpenEnum.find(Enumerations.EventType, event.properties?.eventType))
