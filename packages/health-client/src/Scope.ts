/** What to list, as plain data. */
import type { Known } from "@vigil/health-schema/ApiVersion"
import type { ResourceGroup } from "./ResourceGroup.js"
import * as ResourceUri from "./ResourceUri.js"
import * as ServiceGroup from "./ServiceGroup.js"
import type { SubscriptionId } from "./SubscriptionId.js"

/** A list of the service. @category models @since 0.2.0 */
export interface Scope {
  /** The name of the list in its path. */
  readonly list: "availabilityStatuses" | "childAvailabilityStatuses" | "childResources"
  /** The segments of the ID of the subscription, group or resource. */
  readonly segments: ReadonlyArray<string>
  /** The version of requests that name none. Default: `ApiVersion.defaultVersion`. */
  readonly apiVersion?: Known
}

/** The current status of each resource of a subscription. @category constructors @since 0.2.0 */
export const subscription = (id: SubscriptionId): Scope => ({
  list: "availabilityStatuses",
  segments: ["subscriptions", id],
})

/** The current status of each resource of a resource group. @category constructors @since 0.2.0 */
export const resourceGroup = (id: SubscriptionId, name: ResourceGroup): Scope => ({
  list: "availabilityStatuses",
  segments: ["subscriptions", id, "resourceGroups", name],
})

/**
 * The current status of each resource of the direct members of a service group: subscriptions, resource groups and resources. Child service groups are
 * not expanded. A preview of the public service: the reason is `Forbidden` where it is not enabled.
 * @category constructors @since 0.4.0
 */
export const serviceGroup = (name: ServiceGroup.ServiceGroup): Scope => ({
  list: "availabilityStatuses",
  segments: ServiceGroup.segments(name),
  apiVersion: ServiceGroup.apiVersion,
})

/** The history of a resource: its current status, and earlier ones. @category constructors @since 0.2.0 */
export const resource = (uri: ResourceUri.ResourceUri): Scope => ({
  list: "availabilityStatuses",
  segments: ResourceUri.segments(uri),
})

/** The history of a resource in another one. @category constructors @since 0.2.0 */
export const childStatuses = (uri: ResourceUri.ResourceUri): Scope => ({
  list: "childAvailabilityStatuses",
  segments: ResourceUri.segments(uri),
})

/** The current status of each resource in a resource. @category constructors @since 0.2.0 */
export const children = (uri: ResourceUri.ResourceUri): Scope => ({
  list: "childResources",
  segments: ResourceUri.segments(uri),
})
