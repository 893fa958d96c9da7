/** Reads the current status of each resource of a subscription. A list that fails keeps what was read before, and says why. */
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import * as Listing from "@vigil/health-client/Listing"
import * as Scope from "@vigil/health-client/Scope"
import * as StatusChanges from "@vigil/health-client/StatusChanges"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as EventList from "./EventList.js"
import * as Statuses from "./internal/statusEvidence.js"

type Status = AvailabilityStatus.AvailabilityStatus

/** What was read of a list. @category models @since 0.4.0 */
export interface StatusList<E = unknown> extends Pick<
  EventList.EventList<E>,
  "error" | "invalid" | "problem" | "readAt"
> {
  readonly subject: SubscriptionId
  /** One per resource. */
  readonly statuses: ReadonlyArray<Status>
}

/** How lists are read. @category models @since 0.4.0 */
export interface Options<E = never> extends Pick<EventList.Options<E>, "apiVersion" | "describe" | "run"> {
  /** Keeps only the fields that a verdict needs of an available resource: a subscription can have many thousands of these. Default: false. */
  readonly isBrief?: boolean | undefined
}

const reduce = (status: Status): Status => {
  if (!AvailabilityStatus.isAvailable(status) || Statuses.shortEventOf(status) !== undefined) return status
  const {
    healthEventId = null,
    occuredTime = null,
    recentlyResolved = null,
    reportedTime = null,
    serviceImpactingEvents = null,
  } = status.properties ?? {}
  const { id = null, location = null } = status
  const used = { occuredTime, reportedTime, healthEventId, recentlyResolved, serviceImpactingEvents }
  return { id, location, properties: { availabilityState: "Available", ...used } }
}

/** Reads a list to its last page. @category effects @since 0.4.0 */
export const read = Effect.fnUntraced(function* <E extends EventList.Described = never>(
  subject: SubscriptionId,
  { apiVersion, describe = ({ message }) => message, isBrief = false, run = (list) => list }: Options<E> = {},
): Effect.fn.Return<StatusList<E>, never, AvailabilityClient> {
  const { pages } = yield* AvailabilityClient
  const now = yield* Clock.currentTimeMillis
  const all = pages(Scope.subscription(subject), { apiVersion })
  const used = isBrief ? Stream.map(all, (page) => ({ ...page, items: page.items.map(reduce) })) : all
  const { invalid, items, problem: error } = yield* Listing.collect(used, (list) => Effect.result(run(list, subject)))
  const statuses = StatusChanges.distinct(items)
  const readAt = error === undefined ? now : undefined
  return { subject, statuses, invalid, readAt, problem: error && describe(error), error }
})
