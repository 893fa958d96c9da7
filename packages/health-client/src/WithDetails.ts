/** A stream of events with the texts that lists withhold of sensitive events. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { HealthClient } from "./HealthClient.js"
import { type Versioned, versionOf } from "./internal/versionOf.js"
import type { Newest, Of } from "./Listing.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import { TrackingId } from "./TrackingId.js"

/**
 * Options of `withDetails`. `onFailure` fails with `E` and needs `R`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<V extends ApiVersion.ApiVersion = ApiVersion.Latest, E = never, R = never> {
  /** How many details are fetched at once; as many events are taken ahead of the consumer. Default: 4. */
  readonly concurrency?: number | undefined
  /** Runs if details cannot be fetched. The event is then emitted as it was listed. Default: the stream fails. */
  readonly onFailure?:
    | ((error: RequestError, event: HealthEvent.HealthEvent<V>) => Effect.Effect<unknown, E, R>)
    | undefined
}

/**
 * The type of `withDetails`.
 *
 * @category models
 * @since 0.1.0
 */
export interface WithDetails {
  <E2 = never, R2 = never>(
    subscription: SubscriptionId,
    options?: Newest<Options<ApiVersion.Latest, E2, R2>>,
  ): <E, R>(
    events: Stream.Stream<HealthEvent.HealthEvent, E, R>,
  ) => Stream.Stream<HealthEvent.HealthEvent, E | RequestError | E2, R | R2 | HealthClient>
  <V extends ApiVersion.ApiVersion, E2 = never, R2 = never>(
    subscription: SubscriptionId,
    options: Of<V, Options<V, E2, R2>>,
  ): <E, R>(
    events: Stream.Stream<HealthEvent.HealthEvent<V>, E, R>,
  ) => Stream.Stream<HealthEvent.HealthEvent<V>, E | RequestError | E2, R | R2 | HealthClient>
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
const reveal = <V extends ApiVersion.ApiVersion, E, R, E2, R2>(
  events: Stream.Stream<HealthEvent.HealthEvent<V>, E, R>,
  fetch: (trackingId: TrackingId) => Effect.Effect<HealthEvent.HealthEvent<V>, RequestError>,
  { concurrency = 4, onFailure }: Options<V, E2, R2>,
): Stream.Stream<HealthEvent.HealthEvent<V>, E | RequestError | E2, R | R2> => {
  const whole = (
    event: HealthEvent.HealthEvent<V>,
  ): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError | E2, R2> => {
    if (!Sensitive.hasWithheldTexts(event) || !isTrackingId(event.name)) return Effect.succeed(event)
    const revealed = Effect.map(fetch(event.name), (details) => Sensitive.reveal(event, details))
    return onFailure === undefined
      ? revealed
      : Effect.catchAll(revealed, (error) => Effect.as(onFailure(error, event), event))
  }
  return mapInOrder(events, whole, concurrency)
}

/**
 * Adds the texts that lists withhold of sensitive events to a stream of events, in order: each is fetched with
 * `fetchEventDetails`. An event without a valid tracking ID in its `name` is emitted unchanged.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withDetails: WithDetails =
  <V extends ApiVersion.ApiVersion, E2, R2>(
    subscription: SubscriptionId,
    options: Versioned<V> & Options<V, E2, R2> = {},
  ) =>
  <E, R>(events: Stream.Stream<HealthEvent.HealthEvent<V>, E, R>) =>
    Stream.unwrap(
      Effect.map(HealthClient, ({ fetchEventDetails }) =>
        reveal(
          events,
          (trackingId) => fetchEventDetails(subscription, trackingId, { apiVersion: versionOf(options.apiVersion) }),
          options,
        ),
      ),
    )
