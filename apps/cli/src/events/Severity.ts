/** The severity of events, and the difference between issues and notices. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/** The levels, highest first. `Other` covers unknown levels. */
export const all = ["Critical", "Error", "Warning", "Informational", "Other"] as const

export type Severity = (typeof all)[number]

/** The level as sent, under either name. An empty text counts as missing (field notes, "Payload oddities"). */
export const sent = (properties: AnyEvent["properties"]): string | null | undefined =>
  properties?.eventLevel || properties?.level

export const of = (event: AnyEvent): Severity =>
  OpenEnum.find(Enumerations.EventLevel, sent(event.properties)) ?? "Other"

export const rank = (severity: Severity): number => all.indexOf(severity)

/** The highest level; `Other` for an empty list. */
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
