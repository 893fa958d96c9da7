/** The lists of the service: their paths, and how their entries are decoded. */
import { join } from "@vigil/core-http/PathSegment"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import type * as Connection from "../Connection.js"
import * as Filter from "../Filter.js"
import type * as Query from "../Query.js"
import * as ResourceUri from "../ResourceUri.js"
import * as ServiceGroup from "../ServiceGroup.js"
import type { Source } from "../Source.js"
import type { Owner } from "../Tenant.js"
import type { TrackingId } from "../TrackingId.js"
import { type EventSource, versionOf } from "./source.js"
import * as startTime from "./startTime.js"

/** The ID in checkpoints and spans. The credential determines the tenant. */
const idOf = (owner: Owner): string => (typeof owner === "string" ? owner : "")

const parentsOf = (owner: Owner): ReadonlyArray<string> => (typeof owner === "string" ? ["subscriptions", owner] : [])

export const make = ({ service, vendor }: Connection.Service) => {
  const collection = ["providers", `${vendor}.ResourceHealth`, "events"]

  const source = <V extends ApiVersion.ApiVersion>(
    operation: string,
    scope: string,
    id: string,
    path: ReadonlyArray<string>,
    { apiVersion, filter }: Query.Query<V>,
  ) => ({
    service,
    operation,
    span: "HealthClient.page",
    list: { vendor, scope, id, apiVersion: versionOf(apiVersion), filter: Filter.render(filter) },
    path: join(path),
  })

  const events = <V extends ApiVersion.ApiVersion>(
    operation: string,
    scope: string,
    id: string,
    parents: ReadonlyArray<string>,
    query: Query.SubscriptionQuery<V>,
  ): EventSource<V> => {
    const events = source(operation, scope, id, [...parents, ...collection], query)
    return {
      ...events,
      method: "GET",
      decode: EventsPage.decode(events.list.apiVersion, { vendor }),
      start: startTime.resolve(query.queryStartTime),
    }
  }

  return {
    owner: <V extends ApiVersion.ApiVersion>(operation: string, owner: Owner, query: Query.SubscriptionQuery<V>) =>
      events(operation, typeof owner === "string" ? "subscription" : "tenant", idOf(owner), parentsOf(owner), query),
    resource: <V extends ApiVersion.ApiVersion>(
      operation: string,
      uri: ResourceUri.ResourceUri,
      { apiVersion, filter }: Query.Query<V>,
    ) => {
      const parents = ResourceUri.segments(uri)
      // The API defines no start time.
      return events(operation, "resource", parents.join("/"), parents, { apiVersion, filter })
    },
    serviceGroup: <V extends ApiVersion.ApiVersion>(
      operation: string,
      name: ServiceGroup.ServiceGroup,
      { apiVersion = ServiceGroup.apiVersion as V }: Query.ServiceGroupQuery<V>,
    ) => events(operation, "serviceGroup", name, ServiceGroup.segments(name), { apiVersion }),
    impactedResources: (
      operation: string,
      owner: Owner,
      trackingId: TrackingId,
      query: Query.ResourceQuery,
    ): Source<ImpactedResource.ImpactedResource> => {
      const isPost = query.isSecurityAdvisory === true
      const scope = isPost ? "securityAdvisoryResources" : "impactedResources"
      const list = isPost ? "listSecurityAdvisoryImpactedResources" : scope
      const path = [...parentsOf(owner), ...collection, trackingId, list]
      return {
        ...source(operation, scope, `${idOf(owner)}/${trackingId}`, path, query),
        method: isPost ? "POST" : "GET",
        decode: ImpactedResource.decodePage,
      }
    },
  }
}
