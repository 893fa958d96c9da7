/** The details of an event, fetched. */
import type { Issue } from "@vigil/core-http/Decoder"
import { noBody } from "@vigil/core-http/Request"
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { TrackingId } from "../TrackingId.js"

/** Where the details of an event are, and how they are decoded. */
export interface Source<V extends ApiVersion.ApiVersion> {
  readonly service: ServiceClient.Service
  readonly operation: string
  readonly version: V
  readonly vendor: string
  readonly path: string
}

const issue = (path: string, reason: string) => Either.left<Issue>({ path, reason })

/** An event, and the one that was asked for: as every property is optional, almost anything would pass for one. */
const decoder =
  <V extends ApiVersion.ApiVersion>({ vendor, version }: Source<V>, trackingId: TrackingId) =>
  (json: unknown): Either.Either<HealthEvent.HealthEvent<V>, Issue> =>
    Either.flatMap(HealthEvent.decode(version, { vendor })(json), (event) => {
      if (event.properties === null || event.properties === undefined) return issue("properties", "is missing")
      return (event.name || trackingId).toLowerCase() === trackingId.toLowerCase()
        ? Either.right(event)
        : issue("name", "is that of another event")
    })

/** One event with nothing withheld. */
export const fetch = <V extends ApiVersion.ApiVersion>(
  source: Source<V>,
  trackingId: TrackingId,
): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError> => {
  const { operation, path, service, version } = source
  return service.request({
    operation,
    method: "POST",
    url: service.url(path, { "api-version": version }),
    body: noBody,
    success: [200],
    // It changes nothing.
    repeatable: true,
    decode: decoder(source, trackingId),
  })
}
