/** Which entries to list. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type { Filter } from "./Filter.js"
import type { QueryStartTime } from "./QueryStartTime.js"
import type * as ServiceGroup from "./ServiceGroup.js"

/** Which events to list. @category models @since 0.2.0 */
export interface Query<V extends ApiVersion.ApiVersion = ApiVersion.Default> {
  /** The API version, which also determines the type of the events. Default: `ApiVersion.defaultVersion`. */
  readonly apiVersion?: V | undefined
  /** Which events the service selects, such as `Filter.eq("service", "Storage")`. Default: all. */
  readonly filter?: Filter | undefined
}

/** How to list the events of a service group, which the service neither filters nor selects by time. @category models @since 0.4.0 */
export interface ServiceGroupQuery<V extends ApiVersion.ApiVersion = ServiceGroup.Version> {
  /** The API version, which also determines the type of the events. Default: `ServiceGroup.apiVersion`. */
  readonly apiVersion?: V | undefined
}

/** Which impacted resources to list. @category models @since 0.2.0 */
export interface ResourceQuery extends Query<ApiVersion.ApiVersion> {
  /**
   * Whether the event is a security advisory. Their resources have an operation of their own, which needs a separate permission. Default:
   * `false`.
   */
  readonly isSecurityAdvisory?: boolean | undefined
}

/** Which events of a subscription or tenant to list. @category models @since 0.2.0 */
export interface SubscriptionQuery<V extends ApiVersion.ApiVersion = ApiVersion.Default> extends Query<V> {
  /**
   * Lists only events updated since an instant, or since a duration ago such as `"30 days"`. The service gets the UTC day, and the client
   * leaves out earlier updates of that day. `QueryStartTime.raw` is sent unchanged. Default: the service lists the last 3 days.
   */
  readonly queryStartTime?: QueryStartTime | undefined
}
