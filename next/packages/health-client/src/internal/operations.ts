/** The operations of the client. */
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as event from "./event.js"
import { items } from "./items.js"
import * as lists from "./lists.js"
import { pages } from "./pages.js"
import type { Service } from "./service.js"

export const operations = (service: ServiceClient.Service, vendor: string): Service => {
  const { impactedResources, resource, subscription, tenant } = lists.make(service, vendor)
  return {
    listBySubscription: (id, options = {}) =>
      items(subscription(id)("HealthClient.listBySubscription", options), options),
    pagesBySubscription: (id, options = {}) =>
      pages(subscription(id)("HealthClient.pagesBySubscription", options), options),
    listByResource: (uri, options = {}) => items(resource(uri)("HealthClient.listByResource", options), options),
    pagesByResource: (uri, options = {}) => pages(resource(uri)("HealthClient.pagesByResource", options), options),
    listByTenant: (options = {}) => items(tenant("HealthClient.listByTenant", options), options),
    pagesByTenant: (options = {}) => pages(tenant("HealthClient.pagesByTenant", options), options),
    get: (id, trackingId, options = {}) =>
      event.get(subscription(id)("HealthClient.get", options), trackingId, options),
    find: (id, trackingId, { apiVersion, filter, maxPages, queryStartTime } = {}) =>
      event.find(subscription(id)("HealthClient.find", { apiVersion }), trackingId, {
        filter,
        maxPages,
        queryStartTime,
      }),
    fetchEventDetails: (id, trackingId, options = {}) =>
      event.fetchDetails(subscription(id)("HealthClient.fetchEventDetails", options), trackingId),
    listImpactedResources: (id, trackingId, options = {}) =>
      items(impactedResources("HealthClient.listImpactedResources", id, trackingId, options), options),
    pagesOfImpactedResources: (id, trackingId, options = {}) =>
      pages(impactedResources("HealthClient.pagesOfImpactedResources", id, trackingId, options), options),
  }
}
