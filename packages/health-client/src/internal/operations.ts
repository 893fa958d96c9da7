/** The operations of the client. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Connection from "../Connection.js"
import { InvalidEvent } from "../InvalidEvent.js"
import * as Listing from "../Listing.js"
import { pages } from "../Source.js"
import { tenant } from "../Tenant.js"
import type { TrackingId } from "../TrackingId.js"
import * as lists from "./lists.js"
import * as oneRecord from "./oneRecord.js"
import type { Service } from "./service.js"
import type { EventSource } from "./source.js"

const events = <V extends ApiVersion.ApiVersion, Max extends number | undefined>(
  source: EventSource<V>,
  { maxPages }: Listing.Limits<Max>,
): Stream.Stream<HealthEvent.HealthEvent<V>, Listing.PagesError<undefined, Max> | InvalidEvent> =>
  Listing.items({ onInvalid: (entry) => new InvalidEvent({ ...entry, operation: source.operation }) })(
    pages<HealthEvent.HealthEvent<V>, undefined, Max>(source, { maxPages }),
  )

const event = <V extends ApiVersion.ApiVersion>(
  source: EventSource<V>,
  name: TrackingId,
  action?: string,
): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError> =>
  oneRecord.fetchByName(source, name, HealthEvent.decode(source.list.apiVersion, source.list), action)

export const operations = (connection: Connection.Service): Service => {
  const { impactedResources, owner, resource, serviceGroup } = lists.make(connection)
  return {
    key: `${connection.service.url("")} ${connection.vendor}`,
    connection: Effect.succeed(connection),
    listBySubscription: (id, options = {}) => events(owner("HealthClient.listBySubscription", id, options), options),
    pagesBySubscription: (id, options = {}) => pages(owner("HealthClient.pagesBySubscription", id, options), options),
    listByResource: (uri, options = {}) => events(resource("HealthClient.listByResource", uri, options), options),
    pagesByResource: (uri, options = {}) => pages(resource("HealthClient.pagesByResource", uri, options), options),
    listByTenant: (options = {}) => events(owner("HealthClient.listByTenant", tenant, options), options),
    pagesByTenant: (options = {}) => pages(owner("HealthClient.pagesByTenant", tenant, options), options),
    listByServiceGroup: (name, options = {}) =>
      events(serviceGroup("HealthClient.listByServiceGroup", name, options), options),
    pagesByServiceGroup: (name, options = {}) =>
      pages(serviceGroup("HealthClient.pagesByServiceGroup", name, options), options),
    get: (id, trackingId, options = {}) => event(owner("HealthClient.get", id, options), trackingId),
    fetchEventDetails: (id, trackingId, options = {}) =>
      event(owner("HealthClient.fetchEventDetails", id, options), trackingId, "fetchEventDetails"),
    fetchBillingDetails: (id, trackingId, options = {}) =>
      event(owner("HealthClient.fetchBillingDetails", id, options), trackingId, "fetchBillingCommunicationDetails"),
    pagesOfImpactedResources: (id, trackingId, options = {}) =>
      pages(impactedResources("HealthClient.pagesOfImpactedResources", id, trackingId, options), options),
    getImpactedResource: (id, trackingId, name, options = {}) =>
      oneRecord.fetchByName(
        impactedResources("HealthClient.getImpactedResource", id, trackingId, options),
        name,
        ImpactedResource.decode,
      ),
  }
}
