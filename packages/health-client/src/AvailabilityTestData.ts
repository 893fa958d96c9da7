/** The test data of `AvailabilityClient.layerTest`. */
import type { ListResponse, Sequence } from "./TestService.js"

export type { ErrorResponse, ListResponse as Response, Sequence } from "./TestService.js"

/**
 * The data of the in-memory service, by ID, such as `/subscriptions/s1/resourceGroups/shop`. Case and the leading slash do not matter. Other IDs
 * are a 404.
 * @category models @since 0.2.0
 */
export interface TestData {
  /** Lists of subscriptions, resource groups and resources. Default: none. */
  readonly statuses?: Readonly<Record<string, ListResponse | Sequence>> | undefined
  /** Histories of resources in other ones. Default: none. */
  readonly childStatuses?: Readonly<Record<string, ListResponse | Sequence>> | undefined
  /** The resources in a resource. Default: none. */
  readonly children?: Readonly<Record<string, ListResponse | Sequence>> | undefined
  /** Current statuses, also of resources in other ones, as the service sends them. Default: the first entry of the history. */
  readonly current?: Readonly<Record<string, unknown>> | undefined
  /** The number of entries per page. Default: 50. */
  readonly pageSize?: number | undefined
}
