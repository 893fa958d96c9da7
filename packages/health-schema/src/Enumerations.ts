/** Every enumeration of the document ("Enumerations"), each open. */
import * as OpenEnum from "./OpenEnum.js"

const eventTypes = [
  "ServiceIssue",
  "PlannedMaintenance",
  "HealthAdvisory",
  "RCA",
  "EmergingIssues",
  "SecurityAdvisory",
] as const

/**
 * What kind of event it is, in each version; `Billing` is of 2025-05-01 only.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const EventType = {
  "2025-05-01": OpenEnum.make("EventType-2025-05-01", ...eventTypes, "Billing"),
  "2025-04-01": OpenEnum.make("EventType-2025-04-01", ...eventTypes),
}

/**
 * A finer kind, in version 2025-05-01 only.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const EventSubType = OpenEnum.make(
  "EventSubType",
  "Retirement",
  "ForeignExchangeRateChange",
  "Underbilling",
  "Overbilling",
  "PriceChanges",
  "TaxChanges",
  "MeterIDChanges",
  "UnauthorizedPartyAbuse",
)

/**
 * Whether an event, or a region of it, still goes on.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const EventStatus = OpenEnum.make("EventStatus", "Active", "Resolved")

/**
 * How grave an event is.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const EventLevel = OpenEnum.make("EventLevel", "Critical", "Error", "Warning", "Informational")

/**
 * The level of insight.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const Level = OpenEnum.make("Level", "Critical", "Warning")

/**
 * Who raised an event.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const EventSource = OpenEnum.make("EventSource", "ResourceHealth", "ServiceHealth")

/**
 * What an event or an update asks of its reader, or which review stands in it.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const EventTag = OpenEnum.make(
  "EventTag",
  "Action Recommended",
  "False Positive",
  "Preliminary PIR",
  "Final PIR",
)

/**
 * How a link is to be shown.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const LinkType = OpenEnum.make("LinkType", "Button", "Hyperlink")

/**
 * What kind of identity created or changed a record, in version 2025-04-01 only.
 *
 * @category enumerations
 * @since 0.1.0
 */
export const CreatedByType = OpenEnum.make("CreatedByType", "Application", "Key", "ManagedIdentity", "User")
