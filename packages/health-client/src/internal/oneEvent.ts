/** One event: by GET, or with details. */
import type { Issue } from "@vigil/core-http/Decoder"
import { join } from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as Source from "@vigil/health-listing/Source"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { TrackingId } from "../TrackingId.js"
import type { EventSource } from "./source.js"

const issue = (path: string, problem: string) => Effect.fail<Issue>({ path, problem })

/** Every property is optional, so almost any object decodes as an event. */
const decoder =
  <V extends ApiVersion.ApiVersion>({ apiVersion, vendor }: EventSource<V>["list"], trackingId: TrackingId) =>
  (json: unknown): Effect.Effect<HealthEvent.HealthEvent<V>, Issue> =>
    Effect.flatMap(Effect.fromResult(HealthEvent.decode(apiVersion, { vendor })(json)), (event) => {
      if (event.properties === null || event.properties === undefined) return issue("properties", "is missing")
      return (event.name || trackingId).toLowerCase() === trackingId.toLowerCase()
        ? Effect.succeed(event)
        : issue("name", "is that of another event")
    })

const send = <V extends ApiVersion.ApiVersion>(
  source: EventSource<V>,
  trackingId: TrackingId,
  request: HttpClientRequest.HttpClientRequest,
): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError> =>
  source.service.send(request, {
    operation: source.operation,
    attributes: Source.attributes(source),
    accepts: (status) => status === 200,
    // A POST reads only, too.
    idempotent: true,
    decode: decoder(source.list, trackingId),
  })

/** Fetches one event by GET. */
export const get = <V extends ApiVersion.ApiVersion>(source: EventSource<V>, trackingId: TrackingId) =>
  Effect.flatMap(DateTime.now, (now) => {
    const url = Source.url(source, source.path + join([trackingId]), source.start?.(now).text)
    return send(source, trackingId, HttpClientRequest.get(url))
  })

/** The path is that of the public Azure service. */
export const fetchDetails = <V extends ApiVersion.ApiVersion>(source: EventSource<V>, trackingId: TrackingId) =>
  send(
    source,
    trackingId,
    HttpClientRequest.post(Source.url(source, source.path + join([trackingId, "fetchEventDetails"]))),
  )
