/** What the status of a resource is worth: the same decision as of an explanation, from what lists of statuses and events show. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import type { Evidence, Reading } from "./Evidence.js"
import * as Explanation from "./Explanation.js"
import * as Listed from "./internal/listed.js"
import * as Moment from "./internal/moment.js"
import * as Statuses from "./internal/statusEvidence.js"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Order from "effect/Order"

type Status = AvailabilityStatus.AvailabilityStatus

/** The known states, the worst first, and `Other` for states that are new to this package. @category constants @since 0.3.0 */
export const states = ["Unavailable", "Degraded", "Unknown", "Other", "Available"] as const

/** One of the states. @category models @since 0.3.0 */
export type State = (typeof states)[number]

/** What a status is worth at a time. @category models @since 0.3.0 */
export interface Assessment {
  readonly status: Status
  /** The state. `Unknown` for a resource that is available, and that the service did not check in the last 24 hours. */
  readonly state: State
  /** As of `Explanation`. `none`: it is available, and neither its status nor these events say more. */
  readonly verdict: Explanation.Explanation["verdict"]
  /** The evidence of the verdict, or what may explain the state. */
  readonly evidence: Evidence | undefined
}

const nothing: Reading<never> = { items: [], invalid: 0 }

const stateOf = (status: Status, now: number): State => {
  const state = AvailabilityStatus.state(status) ?? (status.properties?.availabilityState ? "Other" : "Unknown")
  return state === "Available" && !Statuses.isFresh(status, now) ? "Unknown" : state
}

/** Most resources are available, and no event names them. */
const isQuiet = ({ properties }: Status, state: State, events: ReadonlyArray<unknown>): boolean =>
  state === "Available" &&
  events.length === 0 &&
  !properties?.serviceImpactingEvents?.length &&
  !properties?.recentlyResolved &&
  !properties?.healthEventId

const assess = (status: Status, events: ReadonlyArray<HealthEvent.AnyEvent>, now: number): Assessment => {
  const state = stateOf(status, now)
  if (isQuiet(status, state, events)) return { status, state, verdict: "none", evidence: undefined }
  const { because, suspect, verdict } = Explanation.make({
    resource: AvailabilityStatus.resourceId(status) ?? "",
    now,
    from: now,
    current: { items: [status], invalid: 0 },
    history: nothing,
    children: nothing,
    ownEvents: { items: events, invalid: 0 },
    subscriptionEvents: nothing,
    tenantEvents: nothing,
    emergingIssues: nothing,
    sameName: nothing,
    impacted: new Map(),
    metadata: nothing,
  })
  return { status, state, verdict, evidence: because ?? suspect }
}

/**
 * Returns a function that assesses statuses at a time in milliseconds since 1970. An event counts if the status names it by its tracking ID, or if the ID
 * of the event begins with that of the resource.
 * @category constructors @since 0.3.0
 */
export const make = (
  now: number,
  events: ReadonlyArray<HealthEvent.AnyEvent> = [],
): ((status: Status) => Assessment) => {
  const byKey = Map.groupBy(events, HealthEvent.trackingKey)
  const byOwner = Map.groupBy(events, (event) => Listed.ownerKey(event))
  return (status) => {
    const id = AvailabilityStatus.resourceId(status)
    const named = byKey.get(status.properties?.healthEventId?.toLowerCase() || undefined)
    const own = id === undefined ? undefined : byOwner.get(ResourceId.key(id))
    return assess(status, [...new Set([...(named ?? []), ...(own ?? [])])], now)
  }
}

/** Returns whether nothing is wrong, as far as these lists show. @category guards @since 0.3.0 */
export const isFine = ({ state, verdict }: Assessment): boolean => state === "Available" && verdict === "none"

/** Returns the state, or the text of one that is new to this package. @category getters @since 0.3.0 */
export const label = ({ state, status }: Assessment): string =>
  state === "Other" ? (status.properties?.availabilityState ?? state) : state

/** Orders assessments: the worst state first, then what may be affected, then the latest. @category ordering @since 0.3.0 */
export const order: Order.Order<Assessment> = (one, other) =>
  Order.Number(states.indexOf(one.state), states.indexOf(other.state)) ||
  Order.Boolean(isFine(one), isFine(other)) ||
  Timestamp.latestFirst(one.status.properties?.occuredTime, other.status.properties?.occuredTime)

/** How many resources have each state, and how many are available and not fine. @category models @since 0.3.0 */
export interface Tally {
  readonly states: ReadonlyMap<State, number>
  readonly affected: number
}

/** Counts assessments. @category constructors @since 0.3.0 */
export const tally = (all: ReadonlyArray<Assessment>): Tally => ({
  states: new Map(
    Array.from(
      Map.groupBy(all, ({ state }) => state),
      ([state, { length }]) => [state, length],
    ),
  ),
  affected: all.filter((one) => one.state === "Available" && !isFine(one)).length,
})

const remark = ({ evidence, state, status, verdict }: Assessment, now: number): string => {
  const checked = Moment.parse(status.properties?.reportedTime)
  if (state === "Unknown" && AvailabilityStatus.isAvailable(status))
    return checked === undefined ? "not checked" : `checked ${Moment.age(checked, now)}`
  if (verdict === "none" || evidence === undefined) return ""
  return verdict === "unknown" ? `perhaps ${evidence.cause}` : verdict
}

/** Returns who caused the state, as the service writes it, else as the evidence shows it. @category conversions @since 0.3.0 */
export const reason = (one: Assessment, now: number): string => one.status.properties?.reasonType || remark(one, now)
