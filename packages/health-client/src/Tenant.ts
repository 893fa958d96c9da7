/** The tenant of the credential, which has events of its own beside those of its subscriptions. Only the public Azure service has these. */
import type { SubscriptionId } from "./SubscriptionId.js"

/** The tenant of the credential. @category models @since 0.2.0 */
export interface Tenant {
  readonly _tag: "Tenant"
}

/** Whose event it is. @category models @since 0.2.0 */
export type Owner = SubscriptionId | Tenant

/** The tenant of the credential, in place of a subscription. @category constructors @since 0.2.0 */
export const tenant: Tenant = { _tag: "Tenant" }
