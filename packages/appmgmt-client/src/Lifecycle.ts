/** The end of the service. */
import * as DateTime from "effect/DateTime"

/** The retirement date of the product: 31 March 2025, 00:00 UTC. @category constants @since 0.1.0 */
export const retirementDate: DateTime.Utc = DateTime.makeUnsafe("2025-03-31")

/** The first instant of the last day of support for analytics and diagnostics: 30 June 2026, 00:00 UTC. @category constants @since 0.1.0 */
export const diagnosticsEndDate: DateTime.Utc = DateTime.makeUnsafe("2026-06-30")
