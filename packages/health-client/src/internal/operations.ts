/** The operations of the client. */
import type { Issue } from "@vigil/core-http/Decoder"
import { join } from "@vigil/core-http/PathSegment"
import { noBody } from "@vigil/core-http/Request"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Either from "effect/Either"
import type * as Details from "../Details.js"
import * as ResourceUri from "../ResourceUri.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import type { TrackingId } from "../TrackingId.js"
import * as list from "./list.js"
import type { Service } from "./service.js"
import { versionOf } from "./versionOf.js"

interface Paths {
  readonly vendor: string
  readonly detailsPath: (target: Details.Target) => string
}

const issue = (path: string, reason: string) => Either.left<Issue>({ path, reason })

/** Every property is optional, so that almost any object decodes as an event. */
const decodeDetails =
  <V extends ApiVersion.ApiVersion>(version: V, vendor: string, trackingId: TrackingId) =>
  (json: unknown): Either.Either<HealthEvent.HealthEvent<V>, Issue> =>
    Either.flatMap(HealthEvent.decode(version, { vendor })(json), (event) => {
      if (event.properties === null || event.properties === undefined) return issue("properties", "is missing")
      return (event.name || trackingId).toLowerCase() === trackingId.toLowerCase()
        ? Either.right(event)
        : issue("name", "is that of another event")
    })

export const operations = (service: ServiceClient.Service, { detailsPath, vendor }: Paths): Service => {
  const events = ["providers", `${vendor}.ResourceHealth`, "events"]
  const ofSubscription = (operation: string, id: SubscriptionId): list.Source => {
    const path = join(["subscriptions", id, ...events])
    return { service, operation, vendor, scope: "subscription", id, path }
  }
  const ofResource = (operation: string, uri: ResourceUri.ResourceUri): list.Source => {
    const segments = ResourceUri.segments(uri)
    const path = join([...segments, ...events])
    return { service, operation, vendor, scope: "resource", id: segments.join("/"), path }
  }

  return {
    listBySubscription: (id, options = {}) =>
      list.events(ofSubscription("HealthClient.listBySubscription", id), options),
    pagesBySubscription: (id, options = {}) =>
      list.pages(ofSubscription("HealthClient.pagesBySubscription", id), options),
    // Lists of resources have no start time (document, "Endpoints").
    listByResource: (uri, options = {}) =>
      list.events(ofResource("HealthClient.listByResource", uri), { ...options, queryStartTime: undefined }),
    pagesByResource: (uri, options = {}) =>
      list.pages(ofResource("HealthClient.pagesByResource", uri), { ...options, queryStartTime: undefined }),
    find: (id, trackingId, { apiVersion, filter, maxPages, prefetch, queryStartTime } = {}) =>
      list.find(ofSubscription("HealthClient.find", id), trackingId, {
        apiVersion,
        filter,
        maxPages,
        prefetch,
        queryStartTime,
      }),
    fetchEventDetails: (subscription, trackingId, options = {}) => {
      const version = versionOf(options.apiVersion)
      return service.request({
        operation: "HealthClient.fetchEventDetails",
        method: "POST",
        url: service.url(detailsPath({ subscription, trackingId, vendor }), { "api-version": version }),
        body: noBody,
        success: [200],
        // The request reads only.
        idempotent: true,
        decode: decodeDetails(version, vendor, trackingId),
      })
    },
  }
}
