/** Every operation of the client, over one connection to the service. */
import { join } from "@vigil/core-http/PathSegment"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Details from "../Details.js"
import type { Service } from "../HealthClient.js"
import type * as Listing from "../Listing.js"
import * as ResourceUri from "../ResourceUri.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import type * as Sweep from "../Sweep.js"
import type { TrackingId } from "../TrackingId.js"
import type * as Watch from "../Watch.js"
import * as details from "./details.js"
import * as list from "./list.js"
import { outcome } from "./sweep.js"
import { changes } from "./watch.js"

/** The version of a call: the one that is named, and else, as the overloads say, the newest. */
const versionOf = <V extends ApiVersion.ApiVersion>(named: V | undefined): V => named ?? (ApiVersion.latest as V)

interface Versioned<V extends ApiVersion.ApiVersion> {
  readonly apiVersion?: V | undefined
}

/** What paths and decoders depend on. */
interface Paths {
  readonly vendor: string
  readonly detailsPath: (target: Details.Target) => string
}

/** The client's operations. */
export const operations = (service: ServiceClient.Service, { detailsPath, vendor }: Paths): Service => {
  const suffix = ["providers", `${vendor}.ResourceHealth`, "events"]

  const at = <V extends ApiVersion.ApiVersion>(
    method: string,
    segments: ReadonlyArray<string>,
    { apiVersion }: Versioned<V>,
    isDated = true,
  ): list.Source<V> => ({
    service,
    operation: `HealthClient.${method}`,
    version: versionOf(apiVersion),
    vendor,
    path: join([...segments, ...suffix]),
    isDated,
  })
  const ofSubscription = (id: SubscriptionId) => ["subscriptions", id]

  /** Both lists in their three forms, named after what they are of. */
  const lists = <Id>(of: "Subscription" | "Resource", segments: (id: Id) => ReadonlyArray<string>) => {
    const source = <V extends ApiVersion.ApiVersion>(form: string, id: Id, options: Versioned<V>) =>
      at(`${form}By${of}`, segments(id), options, of === "Subscription")

    const pages: Listing.Pages<Id, Listing.SubscriptionQuery> = <V extends ApiVersion.ApiVersion>(
      id: Id,
      options: Versioned<V> & list.Options<V> = {},
    ) => list.pages(source("pages", id, options), options)

    const events: Listing.List<Id, Listing.SubscriptionQuery> = <V extends ApiVersion.ApiVersion, E, R>(
      id: Id,
      options: Versioned<V> & list.Options<V> & Listing.Delivery<E, R> = {},
    ) => list.events(source("list", id, options), options)

    const collect: Listing.Collect<Id, Listing.SubscriptionQuery> = <V extends ApiVersion.ApiVersion, E, R>(
      id: Id,
      options: Versioned<V> & list.Options<V> & Listing.Delivery<E, R> = {},
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
    return list.find(at("find", ofSubscription(id), options), trackingId, {
      filter,
      maxPages,
      prefetch,
      queryStartTime,
    })
  }

  const detailsOf = <V extends ApiVersion.ApiVersion>(
    method: string,
    subscription: SubscriptionId,
    { apiVersion }: Versioned<V>,
  ): details.Source<V> => ({
    service,
    operation: `HealthClient.${method}`,
    version: versionOf(apiVersion),
    vendor,
    path: (trackingId) => detailsPath({ subscription, trackingId, vendor }),
  })

  const fetchEventDetails: Details.Fetch = <V extends ApiVersion.ApiVersion>(
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options: Versioned<V> = {},
  ) => details.fetch(detailsOf("fetchEventDetails", subscription, options), trackingId)

  const withDetails: Details.With = <V extends ApiVersion.ApiVersion, E, R>(
    subscription: SubscriptionId,
    options: Versioned<V> & Details.Options<V, E, R> = {},
  ) => details.reveal(detailsOf("withDetails", subscription, options), options)

  const sweep: Sweep.Sweep = <V extends ApiVersion.ApiVersion>(
    subscriptions: Iterable<SubscriptionId>,
    options: Versioned<V> & Sweep.Options = {},
  ) => {
    const { concurrency = 8, filter, maxItems, maxPages, queryStartTime } = options
    const query = { filter, maxItems, maxPages, queryStartTime }
    return Stream.flatMap(
      Stream.fromIterable(subscriptions),
      (id) => Stream.fromEffect(outcome(id, list.pages(at("sweep", ofSubscription(id), options), query))),
      { concurrency },
    )
  }

  const watch = (<V extends ApiVersion.ApiVersion, E, R, E2, R2>(
    subscription: SubscriptionId,
    options: Versioned<V> & Watch.Options<E, R, E2, R2> = {},
  ) => {
    const { filter, key = `health-watch/${subscription}`, maxPages, prefetch, store } = options
    const source = at("watch", ofSubscription(subscription), options)
    const { operation, version } = source
    return changes(
      { operation, list: (since) => list.pages(source, { filter, maxPages, prefetch, queryStartTime: since }) },
      Option.map(Option.fromNullable(store), (store) => ({ store, key, subscription, version, vendor, filter })),
      options,
    )
    // What `onFailure` hears of leaves the type where it is there, which the types of one function for both can't say.
  }) as Watch.Watch

  const bySubscription = lists("Subscription", ofSubscription)
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
    withDetails,
    sweep,
    watch,
  }
}
