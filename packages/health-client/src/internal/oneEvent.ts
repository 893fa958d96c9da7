/** One event: by GET, or with details. */
import type { Issue } from "@vigil/core-http/Decoder"
import { join } from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Filter from "../Filter.js"
import type { TrackingId } from "../TrackingId.js"
import { type Options, parameters } from "./pages.js"
import { attributesOf, type EventSource } from "./source.js"
import * as startTime from "./startTime.js"

const issue = (path: string, problem: string) => Effect.fail<Issue>({ path, problem })

/** Every property is optional, so almost any object decodes as an event. */
const decoder =
  <V extends ApiVersion.ApiVersion>(version: V, vendor: string, trackingId: TrackingId) =>
  (json: unknown): Effect.Effect<HealthEvent.HealthEvent<V>, Issue> =>
    Effect.flatMap(Effect.fromResult(HealthEvent.decode(version, { vendor })(json)), (event) => {
      if (event.properties === null || event.properties === undefined) return issue("properties", "is missing")
      return (event.name || trackingId).toLowerCase() === trackingId.toLowerCase()
        ? Effect.succeed(event)
        : issue("name", "is that of another event")
    })

/** Fetches one event by GET. */
export const get = <V extends ApiVersion.ApiVersion>(
  source: EventSource<V>,
  trackingId: TrackingId,
  { filter, queryStartTime }: Pick<Options, "filter" | "queryStartTime">,
): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError> =>
  Effect.gen(function* () {
    const { apiVersion, operation, path, service, vendor } = source
    const { text } = startTime.resolve(queryStartTime, yield* DateTime.now)
    return yield* service.get({
      operation,
      attributes: attributesOf(source),
      url: service.url(path + join([trackingId]), parameters(apiVersion, Filter.render(filter), text)),
      decode: decoder(apiVersion, vendor, trackingId),
    })
  })

export const fetchDetails = <V extends ApiVersion.ApiVersion>(
  source: EventSource<V>,
  trackingId: TrackingId,
): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError> => {
  const { apiVersion, operation, path, service, vendor } = source
  // The path of the public Azure service.
  const url = service.url(path + join([trackingId, "fetchEventDetails"]), parameters(apiVersion, "", ""))
  return service.send(HttpClientRequest.post(url), {
    operation,
    attributes: attributesOf(source),
    accepts: (status) => status === 200,
    // The request reads only.
    idempotent: true,
    decode: decoder(apiVersion, vendor, trackingId),
  })
}
