/** When the service ends (document, "What the service does"). */
import * as DateTime from "effect/DateTime"

/**
 * The day on which the product was retired, 31 March 2025: its beginning, in UTC.
 * @category constants
 * @since 0.1.0
 */
export const retired: DateTime.Utc = DateTime.unsafeMake("2025-03-31")

/**
 * The last day on which analytics and diagnostics are supported, 30 June 2026: its beginning, in UTC; the day itself is included.
 * @category constants
 * @since 0.1.0
 */
export const diagnosticsSupportedUntil: DateTime.Utc = DateTime.unsafeMake("2026-06-30")
