/** The lists of statuses that flags select: one per subscription, or that of a service group. And the subscriptions of their resources. */
import * as Scope from "@vigil/health-client/Scope"
import type { ServiceGroup } from "@vigil/health-client/ServiceGroup"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as Connection from "../../connection/Connection.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as Lists from "../../lists/Lists.js"

interface Flags extends Subscriptions.Flags {
  readonly serviceGroup: ServiceGroup | undefined
}

type Status = AvailabilityStatus.AvailabilityStatus

const isId = Schema.is(SubscriptionId.SubscriptionId)

/** The list is read before it is printed: only its resources say which subscriptions it is of. */
const ofServiceGroup = Effect.fnUntraced(function* (connection: Connection.Health, name: ServiceGroup) {
  const availability = yield* connection.availability
  const { apiVersion } = connection
  const pages = yield* Stream.runCollect(availability.pages(Scope.serviceGroup(name), { apiVersion }))
  const ids = pages.flatMap(({ items }) => items.map(AvailabilityStatus.subscriptionId)).filter(isId)
  const list: Lists.List<Status> = { ...Lists.subjectOfServiceGroup(name), pages: () => Stream.fromIterable(pages) }
  return { ids: [...new Set(ids)], lists: [list] }
})

export const make = Effect.fnUntraced(function* (connection: Connection.Health, given: Flags) {
  if (given.serviceGroup !== undefined) return yield* ofServiceGroup(connection, given.serviceGroup)
  const ids = yield* Subscriptions.several(connection, given)
  const availability = yield* connection.availability
  const { apiVersion } = connection
  const pagesOf =
    (id: SubscriptionId.SubscriptionId): Lists.List<Status>["pages"] =>
    (from) =>
      availability.pages(Scope.subscription(id), { apiVersion, from })
  return { ids, lists: Lists.ofSubscriptions(connection, ids, pagesOf) }
})
