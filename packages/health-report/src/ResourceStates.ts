/** Which resources are not available, over which lists that is known, and how sure it is. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import { enumerate, plural } from "@vigil/health-text/Sentence"
import * as Order from "effect/Order"
import type { Resources } from "./Snapshot.js"
import * as Verdict from "./Verdict.js"

type Status = AvailabilityStatus.AvailabilityStatus

/** The known states, the worst first, and `Other` for states that are new to this package. @category constants @since 0.2.0 */
export const all = ["Unavailable", "Degraded", "Unknown", "Other", "Available"] as const

/** One of the states. @category models @since 0.2.0 */
export type State = (typeof all)[number]

/** Returns the known state, else `Other`. A status without a state is `Unknown`. @category getters @since 0.2.0 */
export const stateOf = (status: Status): State =>
  AvailabilityStatus.state(status) ?? (status.properties?.availabilityState ? "Other" : "Unknown")

/** Returns the position of the state in `all`. @category getters @since 0.2.0 */
export const rank = (status: Status): number => all.indexOf(stateOf(status))

/** Orders statuses: the worst state first, then the latest. @category ordering @since 0.2.0 */
export const order: Order.Order<Status> = (one, other) =>
  Order.Number(rank(one), rank(other)) ||
  Timestamp.latestFirst(one.properties?.occuredTime, other.properties?.occuredTime)

/** Returns the resources that are not available, in `order`. @category getters @since 0.2.0 */
export const unavailable = ({ statuses }: Pick<Resources, "statuses">): ReadonlyArray<Status> =>
  statuses.filter((status) => !AvailabilityStatus.isAvailable(status)).toSorted(order)

/** Returns what could not be read as sentences. Empty if all was read. @category conversions @since 0.2.0 */
export const doubt = ({ failed, invalid }: Resources): string =>
  Verdict.doubt(Verdict.make({ events: [], failed, invalid }))

/**
 * Returns a phrase such as `3 of 310 resources are not available: 2 Unavailable and 1 Degraded`, from the number of resources in each state.
 * @category conversions @since 0.2.0
 */
export const notAvailable = (counts: ReadonlyMap<State, number>): string => {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const down = total - (counts.get("Available") ?? 0)
  const states = all.filter((state) => state !== "Available" && counts.has(state))
  const details = enumerate(states.map((state) => `${counts.get(state)} ${state}`))
  const verb = down === 1 || total === 1 ? "is" : "are"
  return `${down} of ${plural(total, "resource")} ${verb} not available${details && `: ${details}`}`
}

/**
 * Returns a phrase such as `3 of 310 resources are not available: 2 Unavailable and 1 Degraded`. It says that all are available only if all were read.
 * @category conversions @since 0.2.0
 */
export const headline = (resources: Resources): string => {
  const { statuses } = resources
  if (!statuses.every(AvailabilityStatus.isAvailable))
    return notAvailable(new Map(Array.from(Map.groupBy(statuses, stateOf), ([state, { length }]) => [state, length])))
  const isCertain = doubt(resources) === ""
  if (statuses.length === 0) return isCertain ? "The service lists no resources" : "The state of resources is unknown"
  if (!isCertain) return "No resource is known to be unavailable"
  return statuses.length === 1 ? "The only resource is available" : `All ${statuses.length} resources are available`
}

/** Returns the headline, the number of resources that were read, the names of their lists, and what could not be read. @category conversions @since 0.2.0 */
export const text = (resources: Resources): string => {
  const { source, statuses } = resources
  const read = source === "" ? "" : ` Read: ${plural(statuses.length, "resource")} of ${source}.`
  return `${headline(resources)}.${read} ${doubt(resources)}`.trimEnd()
}
