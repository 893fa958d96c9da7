/** The operations of the client. */
import type { Issue } from "@vigil/core-http/Decoder"
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import { join } from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Effect from "effect/Effect"
import type { Connection } from "../../Connection.js"
import { InvalidStatus } from "../../InvalidStatus.js"
import * as Listing from "../../Listing.js"
import * as Scope from "../../Scope.js"
import * as Source from "../../Source.js"
import { resourceIdOf } from "./rawId.js"
import type { Query, Service } from "./service.js"

const issue = (path: string, problem: string) => Effect.fail<Issue>({ path, problem })

/** The status of the resource with this ID. Every property is optional, so almost any object decodes as a status. */
const decodeOne =
  (id: string) =>
  (json: unknown): Effect.Effect<AvailabilityStatus.AvailabilityStatus, Issue> =>
    Effect.flatMap(Effect.fromResult(AvailabilityStatus.decode(json)), (status) => {
      // The client reads the error.
      if (ErrorBody.inSuccess(json)) return issue("error", "is present")
      if (!status.properties) return issue("properties", "is missing")
      // An ID may begin with a slash or a prefix.
      return (AvailabilityStatus.resourceId(status) ?? id).toLowerCase().endsWith(id.toLowerCase())
        ? Effect.succeed(status)
        : issue("id", "names another resource")
    })

export const operations = ({ service, vendor }: Connection): Service => {
  const source = (
    operation: string,
    { list, segments }: Scope.Scope,
    { apiVersion = ApiVersion.latest, filter = "", recommendedActions = false }: Query = {},
  ): Source.Source<AvailabilityStatus.AvailabilityStatus> => ({
    service,
    operation,
    span: "AvailabilityClient.page",
    list: {
      vendor,
      scope: list,
      id: segments.join("/"),
      apiVersion,
      filter,
      expand: recommendedActions ? "recommendedactions" : undefined,
    },
    path: join([...segments, "providers", `${vendor}.ResourceHealth`, list]),
    method: "GET",
    decode: AvailabilityStatus.decodePage,
    identify: resourceIdOf,
  })

  const fetchCurrent = (
    list: Source.Source<AvailabilityStatus.AvailabilityStatus>,
  ): Effect.Effect<AvailabilityStatus.AvailabilityStatus, RequestError> =>
    service.get({
      operation: list.operation,
      attributes: Source.attributes(list),
      url: Source.url(list, `${list.path}/current`),
      decode: decodeOne(list.list.id),
    })

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
