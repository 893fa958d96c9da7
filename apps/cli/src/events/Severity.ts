/** How grave an event is, and whether it is trouble or a notice: what the drawings tell apart. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/** The levels, the gravest first; what no document lists is the last. */
export const all = ["Critical", "Error", "Warning", "Informational", "Other"] as const

/** One of the levels. */
export type Severity = (typeof all)[number]

/** The level as it was sent, by either name; an empty text says nothing (field notes, "Payload oddities"). */
export const sent = (properties: AnyEvent["properties"]): string | null | undefined =>
  properties?.eventLevel || properties?.level

/** The level of an event. */
export const of = (event: AnyEvent): Severity =>
  OpenEnum.find(Enumerations.EventLevel, sent(event.properties)) ?? "Other"

/** From 0, the gravest. */
export const rank = (severity: Severity): number => all.indexOf(severity)

/** The gravest of them; of none, the last. */
export const worst = (severities: ReadonlyArray<Severity>): Severity =>
  severities.reduce<Severity>((worst, one) => (rank(one) < rank(worst) ? one : worst), "Other")

/** The types that announce, advise or look back; the others, those that no document lists among them, are trouble. */
const notices: ReadonlySet<string | undefined> = new Set([
  "PlannedMaintenance",
  "HealthAdvisory",
  "RCA",
  "SecurityAdvisory",
  "Billing",
])

/** Whether the event is no trouble of its own: maintenance, an advisory, a review, a bill. */
export const isNotice = (event: AnyEvent): boolean =>
  notices.has(OpenEnum.find(Enumerations.EventType, event.properties?.eventType))
