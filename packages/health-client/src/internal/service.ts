/** The interface of the client, which is public as `HealthClient.Service`. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { CheckpointMismatch } from "../CheckpointMismatch.js"
import type * as Listing from "../Listing.js"
import type { ResourceUri } from "../ResourceUri.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import type { TrackingId } from "../TrackingId.js"

/**
 * The operations of the client. Nothing is requested before an effect or a stream is run, and no page before its predecessor is
 * consumed, unless `prefetch` says so. `Sweep`, `Watch` and `WithDetails` are built on them.
 * @category models
 * @since 0.1.0
 */
export interface Service {
  /**
   * Streams the events of a subscription, by default those updated in the last 3 days (document, "Limits"). An invalid entry fails
   * the stream with `InvalidEvent` after the events before it, unless `onInvalid` is set.
   */
  readonly listBySubscription: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest, E = never, R = never>(
    id: SubscriptionId,
    options?: Listing.SubscriptionQuery<V> & Listing.PageOptions & Listing.EventOptions<E, R>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, Listing.ListError | E, R>
  /** Streams the same list page by page: events, invalid entries and a checkpoint to resume from. */
  readonly pagesBySubscription: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    id: SubscriptionId,
    options?: Listing.SubscriptionQuery<V> & Listing.PageOptions,
  ) => Stream.Stream<Listing.EventPage<NoInfer<V>>, Listing.PagesError>
  /** Streams the events of a resource, like `listBySubscription`. */
  readonly listByResource: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest, E = never, R = never>(
    id: ResourceUri,
    options?: Listing.Query<V> & Listing.PageOptions & Listing.EventOptions<E, R>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, Listing.ListError | E, R>
  /** Streams the same list page by page: events, invalid entries and a checkpoint to resume from. */
  readonly pagesByResource: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    id: ResourceUri,
    options?: Listing.Query<V> & Listing.PageOptions,
  ) => Stream.Stream<Listing.EventPage<NoInfer<V>>, Listing.PagesError>
  /**
   * Finds the first event of a subscription with this tracking ID, which is its `name`, without regard to case. Reads no page after
   * the one that contains it. Fails with `InvalidEvent` if the entry with this name is invalid; ignores other invalid entries.
   */
  readonly find: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    id: SubscriptionId,
    trackingId: TrackingId,
    options?: Listing.SubscriptionQuery<V> & Pick<Listing.PageOptions, "maxPages" | "prefetch">,
  ) => Effect.Effect<Option.Option<HealthEvent.HealthEvent<NoInfer<V>>>, Exclude<Listing.ListError, CheckpointMismatch>>
  /**
   * Fetches one event with the texts that lists withhold, by a POST without a body (field notes, "Operations around the two lists").
   * It requires a separate right, so that `Forbidden` is common. Fails with `DecodeError` if the response is another event.
   */
  readonly fetchEventDetails: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options?: Pick<Listing.Query<V>, "apiVersion">,
  ) => Effect.Effect<HealthEvent.HealthEvent<NoInfer<V>>, RequestError>
}
