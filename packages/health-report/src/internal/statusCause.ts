/** Who caused the state of a resource, by all that its status says. */
import type * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"

type Properties = NonNullable<AvailabilityStatus.AvailabilityStatus["properties"]>

const words = (texts: ReadonlyArray<string | null | undefined>): ReadonlySet<string> =>
  new Set(texts.map((text) => (text ?? "").toLowerCase().replace(/[^a-z]/g, "")))

const has = (said: ReadonlySet<string>, ...some: ReadonlyArray<string>): boolean =>
  some.some((word) => said.has(word.replace(" ", "")))

/** The events of the platform that the status names as active. */
export const activeEvents = ({ serviceImpactingEvents }: Properties) =>
  (serviceImpactingEvents ?? []).filter(({ status }) => !HealthEvent.isResolvedStatus(status?.value))

/**
 * Returns who caused a state; `undefined` if the status does not say. One field that names the platform is enough, whatever the others say. The public
 * service writes `Unplanned`, `Planned`, `UserInitiated` or `Customer Initiated` as `reasonType`, and as `context` who began it: `Platform
 * Initiated`, `Customer Initiated`, or `VM Initiated` from within a virtual machine. Its `category` only counts for the platform.
 */
export const statusCause = (properties: Properties): "platform" | "maintenance" | "customer" | undefined => {
  const { category, context, healthEventCategory, healthEventCause, reasonType } = properties
  const events = activeEvents(properties)
  const said = words([reasonType, context, healthEventCause])
  const kinds = words([
    reasonType,
    category,
    healthEventCategory,
    ...events.map(({ incidentProperties }) => incidentProperties?.incidentType),
  ])
  if (has(said, "unplanned", "planned", "platform initiated", "platform", "outage") || events.length > 0)
    return has(kinds, "planned", "maintenance") && !has(kinds, "unplanned", "outage", "incident")
      ? "maintenance"
      : "platform"
  return has(said, "user initiated", "customer initiated", "vm initiated", "user", "customer") ? "customer" : undefined
}
