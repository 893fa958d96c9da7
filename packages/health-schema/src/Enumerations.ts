/** The open enumerations: the documented values, and any other text. */
import * as OpenEnum from "./OpenEnum.js"

/** The type of an event. Version 2025-04-01 has no `Billing` (`HealthEvent.eventTypes`). @category enumerations @since 0.1.0 */
export const EventType = /* @__PURE__ */ OpenEnum.make(
  "EventType",
  "ServiceIssue",
  "PlannedMaintenance",
  "HealthAdvisory",
  "RCA",
  "EmergingIssues",
  "SecurityAdvisory",
  "Billing",
)

/** The subtype of an event (version 2025-05-01 only). @category enumerations @since 0.1.0 */
export const EventSubType = /* @__PURE__ */ OpenEnum.make(
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

/** The status of an event, or of a region of it. @category enumerations @since 0.1.0 */
export const EventStatus = /* @__PURE__ */ OpenEnum.make("EventStatus", "Active", "Resolved")

/** The severity of an event. @category enumerations @since 0.1.0 */
export const EventLevel = /* @__PURE__ */ OpenEnum.make("EventLevel", "Critical", "Error", "Warning", "Informational")

/** The level of the insight into an event. Its severity is `HealthEvent.knownLevel`. @category enumerations @since 0.1.0 */
export const Level = /* @__PURE__ */ OpenEnum.make("Level", "Critical", "Warning")

/** The source of an event. @category enumerations @since 0.1.0 */
export const EventSource = /* @__PURE__ */ OpenEnum.make("EventSource", "ResourceHealth", "ServiceHealth")

/** A tag of an event or an update, such as the kind of review that it contains. @category enumerations @since 0.1.0 */
export const EventTag = /* @__PURE__ */ OpenEnum.make(
  "EventTag",
  "Action Recommended",
  "False Positive",
  "Preliminary PIR",
  "Final PIR",
)

/** How a link is displayed. @category enumerations @since 0.1.0 */
export const LinkType = /* @__PURE__ */ OpenEnum.make("LinkType", "Button", "Hyperlink")

/** The kind of identity that created or changed an event (version 2025-04-01 only). @category enumerations @since 0.1.0 */
export const CreatedByType = /* @__PURE__ */ OpenEnum.make(
  "CreatedByType",
  "Application",
  "Key",
  "ManagedIdentity",
  "User",
)

/** The availability of a resource. @category enumerations @since 0.2.0 */
export const AvailabilityState = /* @__PURE__ */ OpenEnum.make(
  "AvailabilityState",
  "Available",
  "Unavailable",
  "Degraded",
  "Unknown",
)

/** How long the reason of a state lasts. @category enumerations @since 0.2.0 */
export const ReasonChronicity = /* @__PURE__ */ OpenEnum.make("ReasonChronicity", "Transient", "Persistent")

/** The severity of an emerging issue. @category enumerations @since 0.2.0 */
export const IssueSeverity = /* @__PURE__ */ OpenEnum.make("IssueSeverity", "Information", "Warning", "Error")

/** The stage of an emerging issue. @category enumerations @since 0.2.0 */
export const IssueStage = /* @__PURE__ */ OpenEnum.make("IssueStage", "Active", "Resolve", "Archived")

/** What supported values are for. @category enumerations @since 0.2.0 */
export const Scenario = /* @__PURE__ */ OpenEnum.make("Scenario", "Alerts")
