/** The operations of the client. */
import type { Connection } from "@vigil/health-listing/Connection"
import * as Listing from "@vigil/health-listing/Listing"
import { pages } from "@vigil/health-listing/Source"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Stream from "effect/Stream"
import { InvalidEvent } from "../InvalidEvent.js"
import * as lists from "./lists.js"
import * as oneEvent from "./oneEvent.js"
import type { Service } from "./service.js"
import type { EventSource } from "./source.js"

const events = <V extends ApiVersion.ApiVersion, Max extends number | undefined>(
  source: EventSource<V>,
  { maxPages }: Listing.Limits<Max>,
): Stream.Stream<HealthEvent.HealthEvent<V>, Listing.PagesError<undefined, Max> | InvalidEvent> =>
  Listing.items({ onInvalid: (entry) => new InvalidEvent({ ...entry, operation: source.operation }) })(
    pages<HealthEvent.HealthEvent<V>, undefined, Max>(source, { maxPages }),
  )

export const operations = (connection: Connection): Service => {
  const { impactedResources, resource, subscription, tenant } = lists.make(connection)
  return {
    identity: `${connection.service.url("")} ${connection.vendor}`,
    listBySubscription: (id, options = {}) =>
      events(subscription("HealthClient.listBySubscription", id, options), options),
    pagesBySubscription: (id, options = {}) =>
      pages(subscription("HealthClient.pagesBySubscription", id, options), options),
    listByResource: (uri, options = {}) => events(resource("HealthClient.listByResource", uri, options), options),
    pagesByResource: (uri, options = {}) => pages(resource("HealthClient.pagesByResource", uri, options), options),
    listByTenant: (options = {}) => events(tenant("HealthClient.listByTenant", options), options),
    pagesByTenant: (options = {}) => pages(tenant("HealthClient.pagesByTenant", options), options),
    get: (id, trackingId, options = {}) => oneEvent.get(subscription("HealthClient.get", id, options), trackingId),
    fetchEventDetails: (id, trackingId, options = {}) =>
      oneEvent.fetchDetails(subscription("HealthClient.fetchEventDetails", id, options), trackingId),
    pagesOfImpactedResources: (id, trackingId, options = {}) =>
      pages(impactedResources("HealthClient.pagesOfImpactedResources", id, trackingId, options), options),
  }
}
