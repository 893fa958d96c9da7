/** The interface of the client; public as `HealthClient.Service`. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { CheckpointMismatch } from "../CheckpointMismatch.js"
import type * as Listing from "../Listing.js"
import type { ResourceUri } from "../ResourceUri.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import type { TrackingId } from "../TrackingId.js"

/**
 * The operations of the client. Streams fetch a page when the previous one is consumed.
 * @category models @since 0.1.0
 */
export interface Service {
  /**
   * Streams the events of a subscription, by default of the last 3 days (document, "Limits"). Fails with `InvalidEvent` at an invalid
   * entry, unless `onInvalid` is set.
   */
  readonly listBySubscription: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest, E = never, R = never>(
    id: SubscriptionId,
    options?: Listing.SubscriptionQuery<V> & Listing.PageOptions & Listing.EventOptions<E, R>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, Listing.ListError | E, R>
  /** Streams the pages of the same list, each with its invalid entries and a checkpoint. */
  readonly pagesBySubscription: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    id: SubscriptionId,
    options?: Listing.SubscriptionQuery<V> & Listing.PageOptions,
  ) => Stream.Stream<Listing.EventPage<NoInfer<V>>, Listing.PagesError>
  /** Streams the events of a resource; see `listBySubscription`. */
  readonly listByResource: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest, E = never, R = never>(
    id: ResourceUri,
    options?: Listing.Query<V> & Listing.PageOptions & Listing.EventOptions<E, R>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, Listing.ListError | E, R>
  /** Streams the pages of the same list, each with its invalid entries and a checkpoint. */
  readonly pagesByResource: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    id: ResourceUri,
    options?: Listing.Query<V> & Listing.PageOptions,
  ) => Stream.Stream<Listing.EventPage<NoInfer<V>>, Listing.PagesError>
  /**
   * Streams the events of the tenant of the credential; see `listBySubscription`. Not in the API document: operation `Events_ListByTenantId`
   * of the public contract.
   */
  readonly listByTenant: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest, E = never, R = never>(
    options?: Listing.SubscriptionQuery<V> & Listing.PageOptions & Listing.EventOptions<E, R>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, Listing.ListError | E, R>
  /** Streams the pages of the same list, each with its invalid entries and a checkpoint. */
  readonly pagesByTenant: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    options?: Listing.SubscriptionQuery<V> & Listing.PageOptions,
  ) => Stream.Stream<Listing.EventPage<NoInfer<V>>, Listing.PagesError>
  /**
   * Fetches one event. The service applies `filter` and `queryStartTime`; the client does not check the result. Fails with `NotFound` if the
   * service does not have the event or the operation, and with `DecodeError` if the response is another event. Not in the API document: operation `Event_GetBySubscriptionIdAndTrackingId` of the public contract.
   */
  readonly get: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options?: Listing.SubscriptionQuery<V>,
  ) => Effect.Effect<HealthEvent.HealthEvent<NoInfer<V>>, RequestError>
  /**
   * Finds the event with this tracking ID (its `name`, case-insensitive). Sends the request of `get`. If the service does not return the
   * event, reads the list up to the first event with this ID. Fails with `InvalidEvent` if the entry with this name is invalid.
   */
  readonly find: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    id: SubscriptionId,
    trackingId: TrackingId,
    options?: Listing.SubscriptionQuery<V> & Pick<Listing.PageOptions, "maxPages">,
  ) => Effect.Effect<Option.Option<HealthEvent.HealthEvent<NoInfer<V>>>, Exclude<Listing.ListError, CheckpointMismatch>>
  /**
   * Fetches one event with the texts that lists withhold. Needs a separate permission, so handle `Forbidden`. Fails with `DecodeError` if
   * the response is another event. Sends a POST without a body (operation `Event_fetchDetailsBySubscriptionIdAndTrackingId` of the public
   * contract).
   */
  readonly fetchEventDetails: <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options?: Pick<Listing.Query<V>, "apiVersion">,
  ) => Effect.Effect<HealthEvent.HealthEvent<NoInfer<V>>, RequestError>
  /**
   * Streams the resources of a subscription that an event affects. Fails with `InvalidResource` at an invalid entry, unless `onInvalid` is
   * set. Not in the API document: operations `ImpactedResources_ListBySubscriptionIdAndEventId` and, for security advisories,
   * `SecurityAdvisoryImpactedResources_ListBySubscriptionIdAndEventId` of the public contract.
   */
  readonly listImpactedResources: <E = never, R = never>(
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options?: Listing.ResourceQuery & Listing.PageOptions & Listing.ResourceOptions<E, R>,
  ) => Stream.Stream<ImpactedResource.ImpactedResource, Listing.ResourcesError | E, R>
  /** Streams the pages of the same list, each with its invalid entries and a checkpoint. */
  readonly pagesOfImpactedResources: (
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options?: Listing.ResourceQuery & Listing.PageOptions,
  ) => Stream.Stream<Listing.ResourcePage, Listing.PagesError>
}
