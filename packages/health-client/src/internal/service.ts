/** The interface of the client; public as `HealthClient.Service`. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Checkpoint } from "../Checkpoint.js"
import type * as Connection from "../Connection.js"
import type { InvalidEvent } from "../InvalidEvent.js"
import type * as Listing from "../Listing.js"
import type { PageLoop } from "../PagingError.js"
import type * as Query from "../Query.js"
import type { RecordName } from "../RecordName.js"
import type { ResourceUri } from "../ResourceUri.js"
import type * as ServiceGroup from "../ServiceGroup.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import type { Owner } from "../Tenant.js"
import type { TrackingId } from "../TrackingId.js"

/**
 * The operations of the client. Streams fetch a page when the previous one is consumed. `list…` streams events, and fails with
 * `InvalidEvent` at an invalid entry. `pages…` streams pages, each with its invalid entries and a checkpoint to resume from.
 *
 * The public Azure service has all operations. Other services may have only the lists by subscription and by resource. The types spell errors
 * out, so that editors show them.
 * @category models @since 0.1.0
 */
export interface Service {
  /** Identifies the service: its base URL and vendor. The stored states of watches belong to it. */
  readonly key: string
  /** The connection of the client, for functions that call other operations, such as `PublicInfo`. An effect, so that a mock may omit it. */
  readonly connection: Effect.Effect<Connection.Service>
  /** Streams the events of a subscription, by default of the last 3 days. */
  readonly listBySubscription: <
    const V extends ApiVersion.ApiVersion = ApiVersion.Default,
    Max extends number | undefined = undefined,
  >(
    id: SubscriptionId,
    options?: Query.SubscriptionQuery<V> & Listing.Limits<Max>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, RequestError | PageLoop | Listing.Limited<Max> | InvalidEvent>
  /** Streams the pages of the list of a subscription. */
  readonly pagesBySubscription: <
    const V extends ApiVersion.ApiVersion = ApiVersion.Default,
    From extends Checkpoint | undefined = undefined,
    Max extends number | undefined = undefined,
  >(
    id: SubscriptionId,
    options?: Query.SubscriptionQuery<V> & Listing.PageOptions<From, Max>,
  ) => Stream.Stream<
    Listing.Page<HealthEvent.HealthEvent<NoInfer<V>>>,
    RequestError | PageLoop | Listing.Limited<Max> | Listing.Mismatch<From>
  >
  /** Streams the events of a resource. */
  readonly listByResource: <
    const V extends ApiVersion.ApiVersion = ApiVersion.Default,
    Max extends number | undefined = undefined,
  >(
    id: ResourceUri,
    options?: Query.Query<V> & Listing.Limits<Max>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, RequestError | PageLoop | Listing.Limited<Max> | InvalidEvent>
  /** Streams the pages of the list of a resource. */
  readonly pagesByResource: <
    const V extends ApiVersion.ApiVersion = ApiVersion.Default,
    From extends Checkpoint | undefined = undefined,
    Max extends number | undefined = undefined,
  >(
    id: ResourceUri,
    options?: Query.Query<V> & Listing.PageOptions<From, Max>,
  ) => Stream.Stream<
    Listing.Page<HealthEvent.HealthEvent<NoInfer<V>>>,
    RequestError | PageLoop | Listing.Limited<Max> | Listing.Mismatch<From>
  >
  /** Streams the events of the tenant of the credential, by default of the last 3 days. */
  readonly listByTenant: <
    const V extends ApiVersion.ApiVersion = ApiVersion.Default,
    Max extends number | undefined = undefined,
  >(
    options?: Query.SubscriptionQuery<V> & Listing.Limits<Max>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, RequestError | PageLoop | Listing.Limited<Max> | InvalidEvent>
  /** Streams the pages of the list of the tenant. */
  readonly pagesByTenant: <
    const V extends ApiVersion.ApiVersion = ApiVersion.Default,
    From extends Checkpoint | undefined = undefined,
    Max extends number | undefined = undefined,
  >(
    options?: Query.SubscriptionQuery<V> & Listing.PageOptions<From, Max>,
  ) => Stream.Stream<
    Listing.Page<HealthEvent.HealthEvent<NoInfer<V>>>,
    RequestError | PageLoop | Listing.Limited<Max> | Listing.Mismatch<From>
  >
  /**
   * Streams the events that may be relevant to the direct members of a service group. Each event has the ID of its subscription, so that one of
   * two subscriptions is listed twice. There are no security advisories and no billing events. A preview of the public service: the reason is
   * `Forbidden` where it is not enabled.
   */
  readonly listByServiceGroup: <
    const V extends ApiVersion.ApiVersion = ServiceGroup.Version,
    Max extends number | undefined = undefined,
  >(
    name: ServiceGroup.ServiceGroup,
    options?: Query.ServiceGroupQuery<V> & Listing.Limits<Max>,
  ) => Stream.Stream<HealthEvent.HealthEvent<NoInfer<V>>, RequestError | PageLoop | Listing.Limited<Max> | InvalidEvent>
  /** Streams the pages of the list of a service group. */
  readonly pagesByServiceGroup: <
    const V extends ApiVersion.ApiVersion = ServiceGroup.Version,
    From extends Checkpoint | undefined = undefined,
    Max extends number | undefined = undefined,
  >(
    name: ServiceGroup.ServiceGroup,
    options?: Query.ServiceGroupQuery<V> & Listing.PageOptions<From, Max>,
  ) => Stream.Stream<
    Listing.Page<HealthEvent.HealthEvent<NoInfer<V>>>,
    RequestError | PageLoop | Listing.Limited<Max> | Listing.Mismatch<From>
  >
  /**
   * Fetches one event of a subscription or of the tenant (`Tenant.tenant`). The service applies `filter` and `queryStartTime`; the client does not check the result. The reason is `NotFound` if
   * the service does not have the event or the operation, and `Decode` if the response is another event. See also `Find.find`.
   */
  readonly get: <const V extends ApiVersion.ApiVersion = ApiVersion.Default>(
    owner: Owner,
    trackingId: TrackingId,
    options?: Query.SubscriptionQuery<V>,
  ) => Effect.Effect<HealthEvent.HealthEvent<NoInfer<V>>, RequestError>
  /**
   * Fetches one event with the texts that lists withhold, by a POST without a body. Needs a separate permission, so handle the reason
   * `Forbidden`. The reason is `Decode` if the response is another event.
   */
  readonly fetchEventDetails: <const V extends ApiVersion.ApiVersion = ApiVersion.Default>(
    owner: Owner,
    trackingId: TrackingId,
    options?: Pick<Query.Query<V>, "apiVersion">,
  ) => Effect.Effect<HealthEvent.HealthEvent<NoInfer<V>>, RequestError>
  /**
   * Fetches a billing event with the text that lists withhold, by a POST without a body. Needs a separate permission, as
   * `fetchEventDetails` does.
   */
  readonly fetchBillingDetails: <const V extends ApiVersion.ApiVersion = ApiVersion.Default>(
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options?: Pick<Query.Query<V>, "apiVersion">,
  ) => Effect.Effect<HealthEvent.HealthEvent<NoInfer<V>>, RequestError>
  /** Streams the pages of the resources of a subscription, or of the tenant, that an event affects. `Listing.items` makes a stream of resources. */
  readonly pagesOfImpactedResources: <
    From extends Checkpoint | undefined = undefined,
    Max extends number | undefined = undefined,
  >(
    owner: Owner,
    trackingId: TrackingId,
    options?: Query.ResourceQuery & Listing.PageOptions<From, Max>,
  ) => Stream.Stream<
    Listing.Page<ImpactedResource.ImpactedResource>,
    RequestError | PageLoop | Listing.Limited<Max> | Listing.Mismatch<From>
  >
  /** Fetches one resource that an event affects, by the `name` of its record. */
  readonly getImpactedResource: (
    owner: Owner,
    trackingId: TrackingId,
    name: RecordName,
    options?: Pick<Query.Query<ApiVersion.ApiVersion>, "apiVersion">,
  ) => Effect.Effect<ImpactedResource.ImpactedResource, RequestError>
}
