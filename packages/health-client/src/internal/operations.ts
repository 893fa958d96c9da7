/** Every operation of the client, over one connection to the service. */
import { join } from "@vigil/core-http/PathSegment"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Details from "../Details.js"
import type * as Listing from "../Listing.js"
import * as ResourceUri from "../ResourceUri.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import type * as Sweep from "../Sweep.js"
import type { TrackingId } from "../TrackingId.js"
import type * as Watch from "../Watch.js"
import * as details from "./details.js"
import * as list from "./list.js"
import { outcome } from "./sweep.js"
import { type Versioned, versionOf } from "./versionOf.js"
import { changes } from "./watch.js"

/** What paths and decoders depend on. */
interface Paths {
  readonly vendor: string
  readonly detailsPath: (target: Details.Target) => string
}

/** The client's operations. */
export const operations = (service: ServiceClient.Service, { detailsPath, vendor }: Paths) => {
  const suffix = ["providers", `${vendor}.ResourceHealth`, "events"]

  const at = <V extends ApiVersion.ApiVersion>(
    method: string,
    scope: "subscription" | "resource",
    segments: ReadonlyArray<string>,
    { apiVersion }: Versioned<V>,
  ): list.Source<V> => ({
    service,
    operation: `HealthClient.${method}`,
    version: versionOf(apiVersion),
    vendor,
    scope,
    id: segments.join("/"),
    path: join([...(scope === "subscription" ? ["subscriptions", ...segments] : segments), ...suffix]),
  })
  const ofSubscription = <V extends ApiVersion.ApiVersion>(
    method: string,
    id: SubscriptionId,
    options: Versioned<V>,
  ): list.Source<V> => at(method, "subscription", [id], options)

  /** Both lists in their three forms, named after what they are of. */
  const lists = <Id>(of: "Subscription" | "Resource", segments: (id: Id) => ReadonlyArray<string>) => {
    const source = <V extends ApiVersion.ApiVersion>(form: string, id: Id, options: Versioned<V>) =>
      at(`${form}By${of}`, of === "Subscription" ? "subscription" : "resource", segments(id), options)

    const pages: Listing.Pages<Id, Listing.SubscriptionQuery> = <V extends ApiVersion.ApiVersion>(
      id: Id,
      options: Versioned<V> & list.Options = {},
    ) => list.pages(source("pages", id, options), options)

    const events: Listing.List<Id, Listing.SubscriptionQuery> = <V extends ApiVersion.ApiVersion, E, R>(
      id: Id,
      options: Versioned<V> & list.Options & Listing.Delivery<E, R> = {},
    ) => list.events(source("list", id, options), options)

    const collect: Listing.Collect<Id, Listing.SubscriptionQuery> = <V extends ApiVersion.ApiVersion, E, R>(
      id: Id,
      options: Versioned<V> & list.Options & Listing.Delivery<E, R> = {},
    ) =>
      Effect.map(Stream.runCollect(list.events(source("collect", id, options), options)), (all) =>
        Chunk.toReadonlyArray(all),
      )

    return { pages, events, collect }
  }

  const find: Listing.Find = <V extends ApiVersion.ApiVersion>(
    id: SubscriptionId,
    trackingId: TrackingId,
    options: Versioned<V> & Listing.SubscriptionQuery & Listing.Bounds = {},
  ) => {
    const { filter, maxPages, prefetch, queryStartTime } = options
    return list.find(ofSubscription("find", id, options), trackingId, {
      filter,
      maxPages,
      prefetch,
      queryStartTime,
    })
  }

  const fetchEventDetails: Details.Fetch = <V extends ApiVersion.ApiVersion>(
    subscription: SubscriptionId,
    trackingId: TrackingId,
    { apiVersion }: Versioned<V> = {},
  ) =>
    details.fetch(
      {
        service,
        operation: "HealthClient.fetchEventDetails",
        version: versionOf(apiVersion),
        vendor,
        path: detailsPath({ subscription, trackingId, vendor }),
      },
      trackingId,
    )

  const sweep: Sweep.Sweep = <V extends ApiVersion.ApiVersion>(
    subscriptions: Iterable<SubscriptionId>,
    options: Versioned<V> & Sweep.Options = {},
  ) => {
    const { concurrency = 8, filter, maxItems, maxPages, queryStartTime } = options
    const query = { filter, maxItems, maxPages, queryStartTime }
    return Stream.flatMap(
      Stream.fromIterable(subscriptions),
      (id) => Stream.fromEffect(outcome(id, list.pages(ofSubscription("sweep", id, options), query))),
      { concurrency },
    )
  }

  const watch = (<V extends ApiVersion.ApiVersion, E, R, E2, R2>(
    subscription: SubscriptionId,
    options: Versioned<V> & Watch.Options<E, R, E2, R2> = {},
  ) => {
    const { filter, key = `health-watch/${subscription}`, maxPages, prefetch, store } = options
    const source = ofSubscription("watch", subscription, options)
    const { operation, version } = source
    return changes(
      { operation, list: (since) => list.pages(source, { filter, maxPages, prefetch, queryStartTime: since }) },
      Option.map(Option.fromNullable(store), (store) => ({ store, key, subscription, version, vendor, filter })),
      options,
    )
    // What `onFailure` hears of leaves the type where it is there, which the types of one function for both can't say.
  }) as Watch.Watch

  const bySubscription = lists("Subscription", (id: SubscriptionId) => [id])
  const byResource = lists("Resource", ResourceUri.segments)
  return {
    listBySubscription: bySubscription.events,
    pagesBySubscription: bySubscription.pages,
    collectBySubscription: bySubscription.collect,
    listByResource: byResource.events,
    pagesByResource: byResource.pages,
    collectByResource: byResource.collect,
    find,
    fetchEventDetails,
    sweep,
    watch,
  }
}
