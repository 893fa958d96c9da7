/** Whose events a list has: those of a subscription, of the tenant, or of everyone. No event of the tenant is in the list of a subscription. */
import type { Owner } from "@vigil/health-client/Tenant"
import { tenant } from "@vigil/health-client/Tenant"

/** Everyone who uses the service: the emerging issues. @category models @since 0.4.0 */
export interface Everyone {
  readonly _tag: "Everyone"
}

/** Whose events a list has. @category models @since 0.4.0 */
export type Subject = Everyone | Owner

/** Everyone, in place of a subscription. @category constructors @since 0.4.0 */
export const everyone: Everyone = { _tag: "Everyone" }

/** Returns whether it is a subscription. @category guards @since 0.4.0 */
export const isSubscription = (subject: Subject): subject is Extract<Owner, string> => typeof subject === "string"

/** Returns a text that identifies it: IDs that differ in case are of one subscription. @category getters @since 0.4.0 */
export const key = (subject: Subject): string =>
  isSubscription(subject) ? `subscription/${subject.toLowerCase()}` : subject._tag.toLowerCase()

/** Returns the subjects beside the subscriptions. @category constants @since 0.4.0 */
export const shared = [tenant, everyone] as const

/** Returns what the list of a subject beside the subscriptions is called: `the tenant`, `emerging issues`. @category getters @since 0.4.0 */
export const label = (subject: Exclude<Subject, string>): string =>
  subject._tag === "Tenant" ? "the tenant" : "emerging issues"
