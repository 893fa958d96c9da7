/** The lists of the service: their paths, and how their entries are decoded. */
import type { Issue } from "@vigil/core-http/Decoder"
import { join } from "@vigil/core-http/PathSegment"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as Predicate from "effect/Predicate"
import type * as Result from "effect/Result"
import type * as Checkpoint from "../Checkpoint.js"
import type * as Listing from "../Listing.js"
import * as ResourceUri from "../ResourceUri.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import type { TrackingId } from "../TrackingId.js"
import { type EventSource, type Source, versionOf } from "./source.js"
import { isSince } from "./startTime.js"

/** A page with an error beside its entries may be incomplete. The client reads the error. */
const decoder =
  <A, E extends Issue>(decode: (json: unknown) => Result.Result<A, E>) =>
  (json: unknown): Effect.Effect<A, Issue> =>
    Predicate.hasProperty(json, "error") && json.error
      ? Effect.fail({ path: "error", problem: "is present" })
      : Effect.fromResult(decode(json))

interface Version<V> {
  readonly apiVersion?: V | undefined
}

export const make = (service: ServiceClient.Service, vendor: string) => {
  const collection = ["providers", `${vendor}.ResourceHealth`, "events"]

  const events = <V extends ApiVersion.ApiVersion>(
    operation: string,
    { id, parents, scope }: Pick<Checkpoint.List, "id" | "scope"> & { readonly parents: ReadonlyArray<string> },
    version: V | undefined,
  ): EventSource<V> => {
    const apiVersion = versionOf(version)
    return {
      service,
      operation,
      vendor,
      apiVersion,
      scope,
      id,
      path: join([...parents, ...collection]),
      method: "GET",
      decode: decoder(EventsPage.decode(apiVersion, { vendor })),
      isSince,
    }
  }

  return {
    subscription: <V extends ApiVersion.ApiVersion>(operation: string, id: SubscriptionId, version: Version<V>) =>
      events(operation, { scope: "subscription", id, parents: ["subscriptions", id] }, version.apiVersion),
    resource: <V extends ApiVersion.ApiVersion>(
      operation: string,
      uri: ResourceUri.ResourceUri,
      version: Version<V>,
    ) => {
      const parents = ResourceUri.segments(uri)
      return events(operation, { scope: "resource", id: parents.join("/"), parents }, version.apiVersion)
    },
    tenant: <V extends ApiVersion.ApiVersion>(operation: string, version: Version<V>) =>
      events(operation, { scope: "tenant", id: "", parents: [] }, version.apiVersion),
    impactedResources: (
      operation: string,
      subscription: SubscriptionId,
      trackingId: TrackingId,
      { apiVersion, isSecurityAdvisory = false }: Listing.ResourceQuery,
    ): Source<ImpactedResource.ImpactedResource> => {
      const list = isSecurityAdvisory ? "listSecurityAdvisoryImpactedResources" : "impactedResources"
      return {
        service,
        operation,
        vendor,
        apiVersion: versionOf(apiVersion),
        scope: isSecurityAdvisory ? "securityAdvisoryResources" : "impactedResources",
        id: `${subscription}/${trackingId}`,
        path: join(["subscriptions", subscription, ...collection, trackingId, list]),
        method: isSecurityAdvisory ? "POST" : "GET",
        decode: decoder(ImpactedResource.decodePage),
        isSince: constTrue,
      }
    },
  }
}
