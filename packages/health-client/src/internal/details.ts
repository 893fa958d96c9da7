/** The details of an event: one of them, and those of a stream as it goes by. */
import type { Issue } from "@vigil/core-http/Decoder"
import { noBody } from "@vigil/core-http/Request"
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as Details from "../Details.js"
import { TrackingId } from "../TrackingId.js"

/** Where the details of an event are, by its tracking ID, and how they are decoded. */
export interface Source<V extends ApiVersion.ApiVersion> {
  readonly service: ServiceClient.Service
  readonly operation: string
  readonly version: V
  readonly vendor: string
  readonly path: (trackingId: TrackingId) => string
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
    url: service.url(path(trackingId), { "api-version": version }),
    body: noBody,
    success: [200],
    // It changes nothing.
    repeatable: true,
    decode: decoder(source, trackingId),
  })
}

/** As `Stream.mapEffect`, which would bring `Stream.groupByKey` into every bundle. */
const mapInOrder = <A, E, R, B, E2, R2>(
  stream: Stream.Stream<A, E, R>,
  f: (one: A) => Effect.Effect<B, E2, R2>,
  concurrency: number,
): Stream.Stream<B, E | E2, R | R2> =>
  concurrency > 1
    ? Stream.toChannel(stream).pipe(
        Channel.concatMap(Channel.writeChunk),
        Channel.mapOutEffectPar(f, concurrency),
        Channel.mapOut(Chunk.of),
        Stream.fromChannel,
      )
    : Stream.flatMap(stream, (one) => Stream.fromEffect(Effect.suspend(() => f(one))))

const isTrackingId = Schema.is(TrackingId)

/** The events as they go by, with what was withheld of them. */
export const reveal =
  <V extends ApiVersion.ApiVersion, E2, R2>(
    source: Source<V>,
    { concurrency = 4, onFailure }: Details.Options<V, E2, R2>,
  ) =>
  <E, R>(
    events: Stream.Stream<HealthEvent.HealthEvent<V>, E, R>,
  ): Stream.Stream<HealthEvent.HealthEvent<V>, E | RequestError | E2, R | R2> => {
    const whole = (
      event: HealthEvent.HealthEvent<V>,
    ): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError | E2, R2> => {
      if (!Sensitive.isWithheld(event) || !isTrackingId(event.name)) return Effect.succeed(event)
      const revealed = Effect.map(fetch(source, event.name), (details) => Sensitive.reveal(event, details))
      return onFailure === undefined
        ? revealed
        : Effect.catchAll(revealed, (error) => Effect.as(onFailure(error, event), event))
    }
    return mapInOrder(events, whole, concurrency)
  }
