/** Adds the details of sensitive events to a stream of events. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { HealthClient } from "./HealthClient.js"
import type * as Query from "./Query.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import { TrackingId } from "./TrackingId.js"

/** Options of `withDetails`. `onFailure` fails with `E` and needs `R`. @category models @since 0.1.0 */
export interface Options<V extends ApiVersion.ApiVersion = ApiVersion.Default, E = never, R = never> extends Pick<
  Query.Query<V>,
  "apiVersion"
> {
  /** How many details to fetch at once. Default: 4. */
  readonly concurrency?: number | "unbounded" | undefined
  /** Runs if details cannot be fetched; the event is then emitted as listed. Default: the stream fails. */
  readonly onFailure?:
    | ((error: RequestError, event: HealthEvent.HealthEvent<V>) => Effect.Effect<unknown, E, R>)
    | undefined
}

const isTrackingId = Schema.is(TrackingId)

type Events<V extends ApiVersion.ApiVersion, E, R> = Stream.Stream<HealthEvent.HealthEvent<V>, E, R>

/**
 * Adds the texts that lists withhold from sensitive events, in order. Events without a valid tracking ID stay unchanged.
 * @category combinators @since 0.1.0
 */
export function withDetails<const V extends ApiVersion.ApiVersion = ApiVersion.Default, E2 = never, R2 = never>(
  subscription: SubscriptionId,
  options: Options<V, E2, R2> & { readonly onFailure: NonNullable<Options<V, E2, R2>["onFailure"]> },
): <E, R>(events: Events<NoInfer<V>, E, R>) => Events<NoInfer<V>, E | E2, R | R2 | HealthClient>
export function withDetails<const V extends ApiVersion.ApiVersion = ApiVersion.Default, E2 = never, R2 = never>(
  subscription: SubscriptionId,
  options?: Options<V, E2, R2>,
): <E, R>(events: Events<NoInfer<V>, E, R>) => Events<NoInfer<V>, E | RequestError | E2, R | R2 | HealthClient>
export function withDetails<V extends ApiVersion.ApiVersion, E2, R2>(
  subscription: SubscriptionId,
  { apiVersion, concurrency = 4, onFailure }: Options<V, E2, R2> = {},
) {
  return <E, R>(events: Events<V, E, R>): Events<V, E | RequestError | E2, R | R2 | HealthClient> =>
    Stream.mapEffect(
      events,
      (event): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError | E2, R2 | HealthClient> => {
        const { name } = event
        if (!Sensitive.hasWithheldTexts(event) || !isTrackingId(name)) return Effect.succeed(event)
        const completed = Effect.map(
          Effect.flatMap(HealthClient, ({ fetchEventDetails }) =>
            fetchEventDetails(subscription, name, { apiVersion }),
          ),
          (details) => Sensitive.addDetails(event, details),
        )
        return onFailure === undefined
          ? completed
          : Effect.catch(completed, (error) => Effect.as(onFailure(error, event), event))
      },
      { concurrency },
    )
}
