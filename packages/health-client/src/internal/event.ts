/** One event: by GET, with details, or from the list of its subscription. */
import type { Issue } from "@vigil/core-http/Decoder"
import { join } from "@vigil/core-http/PathSegment"
import { noBody } from "@vigil/core-http/Request"
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CheckpointMismatch } from "../CheckpointMismatch.js"
import * as Filter from "../Filter.js"
import type * as Listing from "../Listing.js"
import type { TrackingId } from "../TrackingId.js"
import { type Options, pages, parameters } from "./pages.js"
import type { EventSource } from "./source.js"
import * as startTime from "./startTime.js"

const issue = (path: string, reason: string) => Effect.fail<Issue>({ path, reason })

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
  { apiVersion, operation, path, service, vendor }: EventSource<V>,
  trackingId: TrackingId,
  { filter = "", queryStartTime }: Pick<Options, "filter" | "queryStartTime">,
): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError> =>
  Effect.gen(function* () {
    const { text } = startTime.resolve(queryStartTime, yield* DateTime.now)
    return yield* service.get({
      operation,
      url: service.url(path + join([trackingId]), parameters(apiVersion, Filter.render(filter), text)),
      decode: decoder(apiVersion, vendor, trackingId),
    })
  })

export const fetchDetails = <V extends ApiVersion.ApiVersion>(
  { apiVersion, operation, path, service, vendor }: EventSource<V>,
  trackingId: TrackingId,
): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError> =>
  service.request({
    operation,
    method: "POST",
    // The path of the public contract. The document shows only its end.
    url: service.url(path + join([trackingId, "fetchEventDetails"]), parameters(apiVersion, "", "")),
    body: noBody,
    success: [200],
    // The request reads only.
    idempotent: true,
    decode: decoder(apiVersion, vendor, trackingId),
  })

const findInList = <V extends ApiVersion.ApiVersion>(
  source: EventSource<V>,
  trackingId: TrackingId,
  options: Options,
): Effect.Effect<Option.Option<HealthEvent.HealthEvent<V>>, Exclude<Listing.ListError, CheckpointMismatch>> =>
  pages(source, options).pipe(
    Stream.flatMap(({ invalid, items }) => {
      const isWanted = (entry: unknown) => HealthEvent.trackingKey(entry) === trackingId.toLowerCase()
      const event = items.find(isWanted)
      if (event !== undefined) return Stream.succeed(event)
      const entry = invalid.find(({ raw }) => isWanted(raw))
      return entry === undefined
        ? Stream.empty
        : Stream.fail(source.makeError({ ...entry, operation: source.operation }))
    }),
    Stream.runHead,
    // Only calls with `from` fail with it.
    Effect.catchTag("CheckpointMismatch", Effect.die),
  )

/** Whether the list may still have the event. An unknown version is a 400 in the public service. */
const mayBeListed = (error: RequestError): boolean =>
  error._tag === "NotFound" ||
  error._tag === "DecodeError" ||
  (error._tag === "ServiceError" && [400, 405, 501].includes(error.status))

/** Fetches the event, or searches the list if the service does not return one. */
export const find = <V extends ApiVersion.ApiVersion>(
  source: EventSource<V>,
  trackingId: TrackingId,
  options: Options,
): Effect.Effect<Option.Option<HealthEvent.HealthEvent<V>>, Exclude<Listing.ListError, CheckpointMismatch>> =>
  Effect.gen(function* () {
    const { since } = startTime.resolve(options.queryStartTime, yield* DateTime.now)
    const found = yield* Effect.asSome(get(source, trackingId, options)).pipe(
      Effect.catchIf(mayBeListed, () => Effect.succeedNone),
    )
    // Services may ignore the start time.
    const isWanted = Option.exists(found, (event) => since === undefined || source.isSince(event, since))
    return isWanted ? found : yield* findInList(source, trackingId, options)
  })
