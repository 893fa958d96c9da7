/** What the status of a resource is worth: the same decision as of an explanation, from what lists of statuses and events show. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import type { Evidence, Reading } from "./Evidence.js"
import * as Explanation from "./Explanation.js"
import * as Listed from "./internal/listed.js"
import * as ListedIn from "./internal/listedIn.js"
import * as Moment from "./internal/moment.js"
import * as Statuses from "./internal/statusEvidence.js"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
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
  /** The evidence of the verdict, or what may explain the state. Its `impactedResources` counts those that are the resource, contain it, or are in it. */
  readonly evidence: Evidence | undefined
  /** The events that name the resource, what contains it, or what is in it. */
  readonly events: ReadonlyArray<HealthEvent.AnyEvent>
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

/** The impacted resources of events, by `HealthEvent.trackingKey`. */
type Impacted = ReadonlyMap<string, Reading<ImpactedResource>>

/** The events that name a resource, and the entries of the lists that do. */
interface Found {
  readonly named: ReadonlyArray<HealthEvent.AnyEvent>
  readonly listed: ListedIn.Entries
}

const assess = (status: Status, { listed, named }: Found, impacted: Impacted, now: number): Assessment => {
  const state = stateOf(status, now)
  const events = [...new Set([...named, ...listed.keys()])]
  if (isQuiet(status, state, events)) return { status, state, verdict: "none", evidence: undefined, events }
  // Only its own entries: a list can have many thousands.
  const ownImpacted = events.flatMap((event) => {
    const key = HealthEvent.trackingKey(event) ?? ""
    const list = impacted.get(key)
    return list === undefined ? [] : [[key, { ...list, items: [...(listed.get(event) ?? [])] }] as const]
  })
  const { because, suspect, verdict } = Explanation.make({
    resource: AvailabilityStatus.resourceId(status) ?? "",
    now,
    from: now,
    current: { items: [status], invalid: 0 },
    history: nothing,
    children: nothing,
    ownEvents: { items: named, invalid: 0 },
    subscriptionEvents: { items: [...listed.keys()], invalid: 0 },
    tenantEvents: nothing,
    emergingIssues: nothing,
    sameName: nothing,
    impacted: new Map(ownImpacted),
    metadata: nothing,
  })
  return { status, state, verdict, evidence: because ?? suspect, events }
}

/**
 * Returns a function that assesses statuses at a time in milliseconds since 1970. An event counts if the status names it by its tracking ID, if the ID of the
 * event begins with that of the resource, or if its impacted resources have the resource, what contains it, or what is in it.
 * @category constructors @since 0.3.0
 */
export const make = (
  now: number,
  events: ReadonlyArray<HealthEvent.AnyEvent> = [],
  impacted: Impacted = new Map(),
): ((status: Status) => Assessment) => {
  const byKey = Map.groupBy(events, HealthEvent.trackingKey)
  const byOwner = Map.groupBy(events, (event) => Listed.ownerKey(event))
  const entriesOf = ListedIn.make(events, impacted)
  return (status) => {
    const id = AvailabilityStatus.resourceId(status)
    const named = byKey.get(status.properties?.healthEventId?.toLowerCase() || undefined)
    const own = id === undefined ? undefined : byOwner.get(ResourceId.key(id))
    const found = {
      named: [...new Set([...(named ?? []), ...(own ?? [])])],
      listed: entriesOf(id ?? ""),
    }
    return assess(status, found, impacted, now)
  }
}

/** Returns whether an event may impact resources at a time: an issue that is not resolved, or maintenance under way. @category guards @since 0.3.0 */
export const isUnderWay = (event: HealthEvent.AnyEvent, now: number): boolean => {
  if (HealthEvent.isResolved(event)) return false
  return OpenEnum.equals(event.properties?.eventType, "PlannedMaintenance")
    ? Events.isActiveAt(event, DateTime.makeUnsafe(now))
    : !HealthEvent.isNotice(event)
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
