/** What the status of a resource is worth: the same decision as of an explanation, from what lists of statuses and events show. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Moment from "@vigil/health-text/Moment"
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"
import type { Evidence, Reading } from "./Evidence.js"
import type { Explanation } from "./Explanation.js"
import * as Decision from "./internal/decision.js"
import * as Issues from "./internal/issueEvidence.js"
import * as Listed from "./internal/listed.js"
import * as NearEvents from "./internal/nearEvents.js"
import * as Statuses from "./internal/statusEvidence.js"

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
  readonly verdict: Explanation["verdict"]
  /**
   * The evidence of the verdict, or what may explain the state. Its `impactedResources` counts those that are the resource, contain it, or are in it, and is
   * 1 if there are only others.
   */
  readonly evidence: Evidence | undefined
  /** As of `Explanation`. */
  readonly ownAction: Evidence | undefined
  /** The events that name the resource, what contains it, or what is in it. */
  readonly events: ReadonlyArray<HealthEvent.AnyEvent>
}

/** The events of a subscription. @category models @since 0.4.0 */
export interface Subscription {
  readonly id: string
  /** The events of its list. */
  readonly events: ReadonlyArray<HealthEvent.AnyEvent>
  /** Whether `events` has all that are active, also those without a recent update. Default: true. */
  readonly isComplete?: boolean | undefined
}

/** What was read beside the statuses. @category models @since 0.3.0 */
export interface Lists {
  /** Events whose subscriptions are unknown. Ignored with `subscriptions`. Default: none. */
  readonly events?: ReadonlyArray<HealthEvent.AnyEvent> | undefined
  /** The events of each subscription. Those of another one concern a resource only if they name it. Default: `events` are of each. */
  readonly subscriptions?: ReadonlyArray<Subscription> | undefined
  /** The events of the tenant, which concern the resources of every subscription. Default: left out. */
  readonly tenant?: Omit<Subscription, "id"> | undefined
  /** The emerging issues, which concern everyone. Default: left out. */
  readonly everyone?: { readonly issues: ReadonlyArray<EmergingIssue>; readonly isComplete: boolean } | undefined
  /** The impacted resources of events, by `HealthEvent.trackingKey`. Default: none were read. */
  readonly impacted?: ReadonlyMap<string, Reading<ImpactedResource>> | undefined
  /** Says which types of resources belong to a service. Default: not all of it was read, and every service may concern a resource. */
  readonly metadata?: ReadonlyArray<Metadata> | undefined
  /** Whether `events` has all events of the subscriptions, so that an own action may be the only cause. Default: false. */
  readonly isComplete?: boolean | undefined
}

const stateOf = (status: Status, now: number): State => {
  const state = AvailabilityStatus.state(status) ?? (status.properties?.availabilityState ? "Other" : "Unknown")
  return state === "Available" && !Statuses.isFresh(status, now) ? "Unknown" : state
}

/** Most resources are available, and nothing names them: the decision is then `none`, and skipping it is ten times as fast. */
const isQuiet = (status: Status, state: State, events: ReadonlyArray<unknown>): boolean => {
  const { properties } = status
  return (
    state === "Available" &&
    events.length === 0 &&
    !properties?.serviceImpactingEvents?.length &&
    !properties?.recentlyResolved &&
    !properties?.healthEventId &&
    Statuses.shortEventOf(status) === undefined
  )
}

/** The problem of lists that were not read. No output contains its text. */
const notRead = ""

/** Returns whether an event may impact resources at a time: an active issue, or maintenance under way. @category guards @since 0.3.0 */
export const isUnderWay =
  (now: number) =>
  (event: HealthEvent.AnyEvent): boolean => {
    if (!Events.isActive(event)) return false
    return OpenEnum.equals(event.properties?.eventType, "PlannedMaintenance")
      ? Events.isActiveAt(DateTime.makeUnsafe(now))(event)
      : !HealthEvent.isNotice(event)
  }

/**
 * Returns whether the impacted resources of an event are to be read: an active issue, or maintenance, whose list may have other times for a resource.
 * @category guards @since 0.4.0
 */
export const isToRead = (event: HealthEvent.AnyEvent): boolean =>
  Events.isActive(event) &&
  (OpenEnum.equals(event.properties?.eventType, "PlannedMaintenance") || !HealthEvent.isNotice(event))

/**
 * Returns a function that assesses statuses at a time in milliseconds since 1970. An event names a resource if the status has its tracking ID, if the ID of the
 * event begins with that of the resource, of what contains it, or of what is in it, or if its impacted resources have one of these. Events of now that name
 * others, or nothing, also count for a resource that is not available. The verdict is `customer` only if all events were read.
 * @category constructors @since 0.3.0
 */
export const make = (
  now: number,
  { events = [], everyone, impacted = new Map(), isComplete = false, metadata, subscriptions, tenant }: Lists = {},
): ((status: Status) => Assessment) => {
  const lists: NonNullable<Lists["subscriptions"]> = subscriptions ?? [{ id: "", events }]
  const ofTenant = new Set(tenant?.events)
  const all = [...lists.flatMap((one) => one.events), ...ofTenant]
  const byKey = Map.groupBy(all, HealthEvent.trackingKey)
  const index = Listed.index(all, impacted)
  const known = {
    impacted: index.others,
    metadata: { items: metadata ?? [], invalid: 0, problem: metadata === undefined ? notRead : undefined },
  }
  const issues = Issues.distinct(everyone?.issues ?? [], all)
  const isSharedComplete = isComplete && tenant?.isComplete !== false && everyone?.isComplete !== false
  const nearOf = new Map(
    lists.map((one) => {
      const active = [...one.events, ...ofTenant].filter(isUnderWay(now))
      const areComplete = isSharedComplete && one.isComplete !== false
      return [one.id.toLowerCase(), NearEvents.make(active, now, { ...known, issues, isComplete: areComplete })]
    }),
  )
  return (status) => {
    const state = stateOf(status, now)
    const id = AvailabilityStatus.resourceId(status) ?? ""
    const listed = index.find(id)
    const wanted = status.properties?.healthEventId?.toLowerCase()
    // Events without an ID have no key.
    const named = wanted ? (byKey.get(wanted) ?? []) : []
    const found = [...new Set([...named, ...listed.keys()])]
    if (isQuiet(status, state, found))
      return { status, state, verdict: "none", evidence: undefined, ownAction: undefined, events: found }
    const nearOwn = nearOf.get(ResourceId.subscription(id)?.toLowerCase() ?? "") ?? nearOf.get("")
    const nearAll = nearOwn?.(status)
    const near = nearAll && AvailabilityStatus.isAvailable(status) ? NearEvents.naming(nearAll, found) : nearAll
    const isUnsure = near && Array.from(near.unsure).some((key) => key === undefined || key !== wanted)
    const mayBeMore = state !== "Available" && (near?.isComplete !== true || isUnsure)
    const relevant = [...new Set([...found, ...(near?.events ?? [])])]
    const { because, ownAction, suspect, verdict } = Decision.make(
      NearEvents.readings(
        status,
        now,
        relevant.filter((event) => !ofTenant.has(event)),
        {
          tenantEvents: { items: relevant.filter((event) => ofTenant.has(event)), invalid: 0 },
          impacted: index.listsOf(listed),
          ...(near?.events.length || near?.issues.length ? { metadata: known.metadata } : {}),
          ...(mayBeMore ? { sameName: { invalid: 0, problem: notRead } } : {}),
        },
      ),
      near?.issues,
    )
    return { status, state, verdict, evidence: because ?? suspect, ownAction, events: found }
  }
}

/** Returns whether nothing is wrong, as far as these lists show. @category guards @since 0.3.0 */
export const isFine = ({ evidence, state, verdict }: Assessment): boolean =>
  state === "Available" && (verdict === "none" || evidence?.phase === "ended")

/** Returns the state, or the text of one that is new to this package. @category getters @since 0.3.0 */
export const label = ({ state, status }: Assessment): string =>
  state === "Other" ? (status.properties?.availabilityState ?? state) : state

const rank = ({ evidence, ownAction, state }: Assessment): number =>
  state === "Available" ? 3 : evidence?.cause === "customer" ? 2 : ownAction === undefined ? 0 : 1

/**
 * Orders those that do not work, those of them that an owner also stopped, what only an owner stopped, or perhaps, then those that are available. Of each,
 * the worst state comes first, then what may be affected, then the latest.
 * @category ordering @since 0.3.0
 */
export const order: Order.Order<Assessment> = (one, other) =>
  Order.Number(rank(one), rank(other)) ||
  Order.Number(states.indexOf(one.state), states.indexOf(other.state)) ||
  Order.Boolean(isFine(one), isFine(other)) ||
  Timestamp.latestFirst(one.status.properties?.occuredTime, other.status.properties?.occuredTime)

/** Returns whether its owner stopped a resource, and nothing else explains that it is down: all was read. @category guards @since 0.3.0 */
export const isStopped = ({ state, verdict }: Assessment): boolean => state !== "Available" && verdict === "customer"

/** Returns the tracking ID of the event that explains the state, or else of the one that its status names. @category getters @since 0.3.0 */
export const trackingId = ({ evidence, status }: Assessment): string | undefined =>
  evidence?.trackingId || status.properties?.healthEventId || undefined

/** Returns whether a resource is available, and something may affect it. @category guards @since 0.3.0 */
export const isAffected = (one: Assessment): boolean => one.state === "Available" && !isFine(one)

/** How many resources have each state, and how many are available and may be affected. @category models @since 0.3.0 */
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
  affected: all.filter(isAffected).length,
})

const words = {
  platform: "platform",
  maintenance: "maintenance",
  customer: "own action",
  notice: "notice",
} as const

/**
 * Returns who caused the state, and how sure that is, in the words of every table, page and report: `platform`, `platform, not confirmed`, `perhaps platform`,
 * `platform, and own action`, or, if its owner did it and not all is known, `own action, perhaps more`. `unknown` if it is not available and nothing says
 * why, and empty if it is available and nothing affects it.
 * @category conversions @since 0.3.0
 */
export const who = ({ evidence, ownAction, state, status, verdict }: Assessment, now: number): string => {
  const checked = Moment.parse(status.properties?.reportedTime)
  if (state === "Unknown" && AvailabilityStatus.isAvailable(status))
    return checked === undefined ? "not checked" : `checked ${Moment.age(checked, now)}`
  if (verdict === "none" || evidence === undefined) return verdict === "unknown" ? "unknown" : ""
  const isSure = verdict !== "unknown"
  const isConfirmed = Decision.isConfirmed(evidence) || !isSure
  const word = `${words[evidence.cause]}${isConfirmed ? "" : ", not confirmed"}`
  if (ownAction === undefined)
    return `${isSure ? "" : "perhaps "}${word}${evidence.phase === "ended" ? ", until recently" : ""}`
  if (evidence.cause !== "customer") return `${word}, and ${words.customer}`
  return isSure ? word : `${word}, perhaps more`
}

/** Returns who caused the state, with the reason as the service writes it: `platform (Unplanned)`. @category conversions @since 0.3.0 */
export const reason = (one: Assessment, now: number): string => {
  const [text, sent] = [who(one, now), one.status.properties?.reasonType ?? ""]
  return text !== "" && sent !== "" ? `${text} (${sent})` : text || sent
}
