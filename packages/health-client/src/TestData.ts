/** The test data of `HealthClient.layerTest`. */
import type { ListResponse, Sequence } from "./TestService.js"

export type { ErrorResponse, ListResponse as Response, Sequence } from "./TestService.js"

/**
 * The data of the in-memory service. Other subscriptions, resources and events fail with `NotFound`. `get` returns events of `subscriptions` and `tenant`,
 * except those of a `Sequence`.
 * @category models @since 0.1.0
 */
export interface TestData {
  /** Responses by subscription ID. Default: none. */
  readonly subscriptions?: Readonly<Record<string, ListResponse | Sequence>> | undefined
  /** Responses by resource ID. Default: none. */
  readonly resources?: Readonly<Record<string, ListResponse | Sequence>> | undefined
  /** Responses by name of a service group. Default: none. */
  readonly serviceGroups?: Readonly<Record<string, ListResponse | Sequence>> | undefined
  /** Responses of the list of the tenant, which has none of the events of `subscriptions`. Default: none. */
  readonly tenant?: ListResponse | Sequence | undefined
  /** Responses of the list of emerging issues. Default: none. */
  readonly emergingIssues?: ListResponse | Sequence | undefined
  /** Responses of the list of metadata. Default: none. */
  readonly metadata?: ListResponse | Sequence | undefined
  /** Impacted resources by tracking ID, of any subscription. Default: none. */
  readonly impactedResources?: Readonly<Record<string, ListResponse | Sequence>> | undefined
  /** Impacted resources by tracking ID, of the tenant. Default: none. */
  readonly impactedResourcesOfTenant?: Readonly<Record<string, ListResponse | Sequence>> | undefined
  /** Event details by tracking ID, as the service sends them. Default: none. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The number of entries per page. Default: 50. */
  readonly pageSize?: number | undefined
}
