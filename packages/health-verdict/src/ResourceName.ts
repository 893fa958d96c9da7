/** Finds resources by their name. */
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import * as Listing from "@vigil/health-client/Listing"
import * as Scope from "@vigil/health-client/Scope"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import * as Stream from "effect/Stream"

/** Options of `find`. @category models @since 0.3.0 */
export interface Options<Problem> {
  readonly apiVersion?: ApiVersion | undefined
  /** Runs the list of a subscription, and returns why it ended. */
  readonly attempt: (
    list: Effect.Effect<void, Listing.FetchError>,
    subscription: SubscriptionId,
  ) => Effect.Effect<Result.Result<void, Problem>>
  /** How many subscriptions are read at once. */
  readonly concurrency: number | "unbounded"
}

/** What was read of a subscription. @category models @since 0.3.0 */
export interface Read<Problem> {
  readonly subscription: SubscriptionId
  /** How many entries are not statuses. */
  readonly invalid: number
  /** Why the list is not complete. */
  readonly problem: Problem | undefined
}

/** The distinct IDs of the resources with the name, ignoring case, the names of all, and what was read. @category models @since 0.3.0 */
export interface Found<Problem> {
  readonly ids: ReadonlyArray<string>
  /** For suggestions. */
  readonly names: ReadonlyArray<string>
  readonly lists: ReadonlyArray<Read<Problem>>
}

/** Finds the resources with a name in the lists of subscriptions. @category effects @since 0.3.0 */
export const find = Effect.fn("ResourceName.find")(function* <Problem>(
  name: string,
  subscriptions: ReadonlyArray<SubscriptionId>,
  { apiVersion, attempt, concurrency }: Options<Problem>,
): Effect.fn.Return<Found<Problem>, never, AvailabilityClient> {
  const { pages } = yield* AvailabilityClient
  const names = new Set<string>()
  const isNamed = (status: AvailabilityStatus.AvailabilityStatus) => {
    const one = AvailabilityStatus.resourceName(status)
    if (one !== undefined) names.add(one)
    return one?.toLowerCase() === name.toLowerCase()
  }
  const lists = yield* Effect.forEach(
    subscriptions,
    (subscription) => {
      const ids = Stream.map(pages(Scope.subscription(subscription), { apiVersion }), (page) => ({
        ...page,
        items: page.items.filter(isNamed).map((status) => AvailabilityStatus.resourceId(status) ?? ""),
      }))
      return Effect.map(
        Listing.collect(ids, (list) => attempt(list, subscription)),
        ({ invalid, items, problem }) => ({ subscription, items, invalid: invalid.length, problem }),
      )
    },
    { concurrency },
  )
  const ids = lists.flatMap(({ items }) => items)
  return { ids: [...new Map(ids.map((id) => [ResourceId.key(id), id])).values()], names: [...names], lists }
})
