/** The operations of the client. */
import { join } from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import type * as Effect from "effect/Effect"
import type * as Connection from "../../Connection.js"
import { InvalidStatus } from "../../InvalidStatus.js"
import * as Listing from "../../Listing.js"
import * as Scope from "../../Scope.js"
import * as Source from "../../Source.js"
import * as oneRecord from "../oneRecord.js"
import { resourceIdOf } from "./rawId.js"
import type { Query, Service } from "./service.js"

/** Whether IDs are those of one resource. The service may add a prefix, but not another subscription. */
const isSame = (found: string, requested: string): boolean => {
  const [key, end] = [`/${ResourceId.key(found)}`, `/${ResourceId.key(requested)}`]
  return key.endsWith(end) && ResourceId.subscription(key.slice(0, -end.length)) === undefined
}

export const operations = ({ service, vendor }: Connection.Service): Service => {
  const source = (
    operation: string,
    scope: Scope.Scope,
    { apiVersion = scope.apiVersion ?? ApiVersion.defaultVersion, filter, recommendedActions = false }: Query = {},
  ): Source.Source<AvailabilityStatus.AvailabilityStatus> => ({
    service,
    operation,
    span: "AvailabilityClient.page",
    list: {
      vendor,
      scope: scope.list,
      id: scope.segments.join("/"),
      apiVersion,
      filter: filter?.text ?? "",
      expand: recommendedActions ? "recommendedactions" : undefined,
    },
    path: join([...scope.segments, "providers", `${vendor}.ResourceHealth`, scope.list]),
    method: "GET",
    decode: AvailabilityStatus.decodePage,
    identify: resourceIdOf,
  })

  const fetchCurrent = (
    source: Source.Source<AvailabilityStatus.AvailabilityStatus>,
  ): Effect.Effect<AvailabilityStatus.AvailabilityStatus, RequestError> =>
    oneRecord.fetch(source, ["current"], AvailabilityStatus.decode, "id", (status) =>
      isSame(AvailabilityStatus.resourceId(status) ?? source.list.id, source.list.id),
    )

  return {
    list: (scope, options) => {
      const operation = "AvailabilityClient.list"
      return Listing.items({ onInvalid: (entry) => new InvalidStatus({ ...entry, operation }) })(
        Source.pages(source(operation, scope, options), { maxPages: options?.maxPages }),
      )
    },
    pages: (scope, options = {}) => Source.pages(source("AvailabilityClient.pages", scope, options), options),
    current: (uri, options) => fetchCurrent(source("AvailabilityClient.current", Scope.resource(uri), options)),
    currentOfChild: (uri, options) =>
      fetchCurrent(source("AvailabilityClient.currentOfChild", Scope.childStatuses(uri), options)),
  }
}
