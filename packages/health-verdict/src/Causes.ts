/** What may explain the states of resources: the events of their subscriptions, and the resources that these impact. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Assessment from "./Assessment.js"
import * as ImpactedLists from "./ImpactedLists.js"
import * as Nearby from "./Nearby.js"
import * as Period from "./internal/period.js"

/** The events of a subscription that were updated in the last 90 days, and those that are still active. @category models @since 0.3.0 */
export interface EventList {
  readonly subscription: SubscriptionId
  readonly events: ReadonlyArray<HealthEvent.AnyEvent>
  readonly invalid: ReadonlyArray<Listing.InvalidEntry>
  /** Why the list is not complete. */
  readonly problem: string | undefined
}

/** What was read. @category models @since 0.3.0 */
export interface Causes {
  readonly lists: ReadonlyArray<EventList>
  readonly impacted: ImpactedLists.ImpactedLists
}

/** Options of `read`. @category models @since 0.4.0 */
export interface Options extends Pick<ImpactedLists.Options, "apiVersion" | "attempt" | "concurrency"> {
  /** The same for the lists that are read after those of events: metadata, and the resources that events impact. Default: `attempt`. */
  readonly attemptLast?: ImpactedLists.Options["attempt"]
}

/** Reads the events of subscriptions, and which resources those of now impact. A list that fails does not hide the others. @category effects @since 0.3.0 */
export const read = Effect.fnUntraced(function* (
  subscriptions: ReadonlyArray<SubscriptionId>,
  { attempt = ImpactedLists.messageOf, attemptLast = attempt, ...options }: Options = {},
): Effect.fn.Return<Causes, never, HealthClient> {
  const client = yield* HealthClient
  const start = yield* Clock.currentTimeMillis
  const { apiVersion = ApiVersion.defaultVersion, concurrency = 8 } = options
  const period = { apiVersion, queryStartTime: Period.start(start) }
  const readList = (subscription: SubscriptionId): Effect.Effect<EventList> =>
    Effect.map(
      Listing.collect(client.pagesBySubscription(subscription, period), (list) => attempt(list, subscription)),
      ({ invalid, items, problem }) => ({ subscription, events: items, invalid, problem }),
    )
  const lists = yield* Effect.forEach(subscriptions, readList, { concurrency })
  const listed = lists.flatMap(({ events, subscription }) => events.map((event) => ({ event, subscription })))
  return { lists, impacted: yield* ImpactedLists.read(listed, { ...options, attempt: attemptLast, now: start }) }
})

/** Returns a function that assesses statuses of these subscriptions. @category conversions @since 0.3.0 */
export const assess = (
  { impacted, lists }: Causes,
  now: number,
): ((status: AvailabilityStatus.AvailabilityStatus) => Assessment.Assessment) =>
  Assessment.make(now, {
    subscriptions: lists.map(({ events, invalid, problem, subscription }) => ({
      id: subscription,
      events,
      isComplete: problem === undefined && invalid.length === 0,
    })),
    impacted: ImpactedLists.byEvent(impacted),
    metadata: ImpactedLists.completeMetadata(impacted),
    isComplete: true,
  })

/** Returns the IDs of the events of now that explain none of these resources, and are active in their services and regions. @category getters @since 0.3.0 */
export const nearby = (
  { impacted, lists }: Causes,
  all: ReadonlyArray<Assessment.Assessment>,
  now: number,
): ReadonlyArray<string> => {
  const shown = new Set(
    all.flatMap((one) => [...one.events.map(HealthEvent.trackingKey), Assessment.trackingId(one)?.toLowerCase()]),
  )
  const statuses = Arr.groupBy(
    all.map(({ status }) => status),
    (status) => AvailabilityStatus.subscriptionId(status)?.toLowerCase() ?? "",
  )
  const found = lists.flatMap(({ events, subscription }) => {
    const own = statuses[subscription.toLowerCase()] ?? []
    const count = Nearby.make(own, now, ImpactedLists.completeMetadata(impacted))
    const isOther = (event: HealthEvent.AnyEvent) => !shown.has(HealthEvent.trackingKey(event))
    return events.filter((event) => Assessment.isUnderWay(event, now) && isOther(event) && count(event).sure > 0)
  })
  return Arr.dedupe(found.map(({ name }) => name || "one without an ID"))
}
