/** The changes of the states of resources, and what a list says about each. `StatusFeed.make` finds them. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Timestamp from "@vigil/health-schema/Timestamp"

type Status = AvailabilityStatus.AvailabilityStatus

/**
 * A change of the resource with this `id`. `state` is its state now, and `before` its last known one. `Recovered` is a change to `Available`,
 * and `Changed` any other. `since` is when the last known state began.
 * @category models @since 0.2.0
 */
export type Change =
  | { readonly _tag: "Appeared"; readonly id: string; readonly state: string; readonly status: Status }
  | Changed<"Changed">
  | Changed<"Recovered">
  | { readonly _tag: "Disappeared"; readonly id: string; readonly before: string; readonly since?: string }

interface Changed<Tag> {
  readonly _tag: Tag
  readonly id: string
  readonly before: string
  readonly state: string
  readonly status: Status
}

/**
 * Returns the state in the spelling of the API, or else as sent. A status without a state is `Unknown`: nothing says that the resource is
 * available.
 * @category getters @since 0.2.0
 */
export const stateOf = (status: Status): string =>
  AvailabilityStatus.state(status) ?? (status.properties?.availabilityState || "Unknown")

/** Of two statuses of a resource in one list, the one that was reported later, or else the worse one. */
const isLater = (one: Status, other: Status): boolean => {
  const order = Timestamp.latestFirst(one.properties?.reportedTime, other.properties?.reportedTime)
  return order < 0 || (order === 0 && AvailabilityStatus.worstFirst(one, other) < 0)
}

/**
 * Returns one status of each resource, because a list that changes while it is read can contain a resource twice: the status that was reported later,
 * or else the worst one. Each status without an ID stays.
 * @category combinators @since 0.2.0
 */
export const distinct = (statuses: Iterable<Status>): ReadonlyArray<Status> => {
  const all = new Map<unknown, Status>()
  for (const status of statuses) {
    const id = AvailabilityStatus.resourceId(status)
    const key = id === undefined ? status : ResourceId.key(id)
    const other = all.get(key)
    if (other === undefined || isLater(status, other)) all.set(key, status)
  }
  return [...all.values()]
}
