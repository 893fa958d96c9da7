/** What was read of all lists that may explain states: of subscriptions, the tenant and everyone. Every answer is made from one picture. */
import type { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import type { HealthClient } from "@vigil/health-client/HealthClient"
import type { ResourceUri } from "@vigil/health-client/ResourceUri"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Assessment from "./Assessment.js"
import * as EventList from "./EventList.js"
import * as ImpactedLists from "./ImpactedLists.js"
import * as Nearby from "./Nearby.js"
import * as StatusList from "./StatusList.js"
import * as Subject from "./Subject.js"

/** What was read. Plain data: a program that polls each list by its own clock keeps the lists, and makes a picture of them. @category models @since 0.4.0 */
export interface Picture<E = unknown> {
  /** When the reading started, in milliseconds since 1970. */
  readonly now: number
  /** Of subscriptions, then of the tenant and of everyone. */
  readonly events: ReadonlyArray<EventList.EventList<E>>
  /** Of subscriptions. Empty if they were not read. */
  readonly statuses: ReadonlyArray<StatusList.StatusList<E>>
  /** Which resources the active events impact. */
  readonly impacted: ImpactedLists.ImpactedLists
  /** What was left out on request. */
  readonly leftOut: ReadonlyArray<Subject.Shared>
}

/** What to read. @category models @since 0.4.0 */
export interface Scope {
  readonly subscriptions: ReadonlyArray<SubscriptionId>
  /** Only the events of this resource: those of subscriptions, the tenant and everyone are not read. */
  readonly resource?: ResourceUri | undefined
  /** Leaves out the tenant, for credentials that may not read it. Default: false. */
  readonly withoutTenant?: boolean | undefined
  /** Leaves out emerging issues. Default: false. */
  readonly withoutEveryone?: boolean | undefined
  /** Leaves out which resources the events impact, for answers about events alone. Default: false. */
  readonly withoutImpacted?: boolean | undefined
}

/** How lists are read. @category models @since 0.4.0 */
export interface Options<E = never> extends EventList.Options<E> {
  /** Runs the lists that follow those of events: what these impact, and the metadata. Default: `run`. */
  readonly runLast?: EventList.Run<E> | undefined
  /** How many lists to read at once. Default: 8. */
  readonly concurrency?: number | "unbounded" | undefined
}

/** Returns the subjects of a scope, and what it leaves out. @category getters @since 0.4.0 */
export const subjects = ({
  resource,
  subscriptions,
  ...scope
}: Scope): { readonly all: ReadonlyArray<Subject.Subject>; readonly leftOut: Picture["leftOut"] } => {
  if (resource !== undefined) return { all: [Subject.resource(resource)], leftOut: [] }
  const { leftOut, read } = Subject.select(scope)
  return { all: [...subscriptions, ...read], leftOut }
}

/** Returns the events of lists with their owners. Emerging issues have none, and name no resources. @category getters @since 0.4.0 */
export const ownedEvents = (lists: ReadonlyArray<EventList.EventList>): ReadonlyArray<ImpactedLists.OwnedEvent> =>
  lists.flatMap(({ events, subject }) =>
    Subject.isSubscription(subject) || subject._tag === "Tenant"
      ? events.map((event) => ({ event, owner: subject }))
      : [],
  )

/** Returns whether emerging issues name services. @category guards @since 0.4.0 */
export const needsMetadata = (lists: ReadonlyArray<EventList.EventList>): boolean =>
  lists.some(({ issues }) => issues.some(({ properties }) => properties?.statusActiveEvents?.length))

/** Reads the events of a scope, and which resources those of now impact. A list that fails does not hide the others. @category effects @since 0.4.0 */
export const readEvents = Effect.fnUntraced(function* <E extends EventList.Described = never>(
  scope: Scope,
  { concurrency = 8, run, runLast = run, ...options }: Options<E> = {},
): Effect.fn.Return<Picture<E>, never, HealthClient> {
  const now = yield* Clock.currentTimeMillis
  const { all, leftOut } = subjects(scope)
  const events = yield* Effect.forEach(all, (subject) => EventList.read(subject, { ...options, run }), { concurrency })
  const { apiVersion, describe } = options
  const impacted = scope.withoutImpacted
    ? ImpactedLists.none
    : yield* ImpactedLists.read(ownedEvents(events), {
        apiVersion,
        concurrency,
        describe,
        needsMetadata: needsMetadata(events),
        now,
        run: runLast,
      })
  return { now, events, statuses: [], impacted, leftOut }
})

/** Reads the events of a scope as `readEvents` does, and at the same time the statuses of its resources. @category effects @since 0.4.0 */
export const read = Effect.fnUntraced(function* <E extends EventList.Described = never>(
  scope: Scope,
  options: Options<E> & StatusList.Options<E> = {},
): Effect.fn.Return<Picture<E>, never, AvailabilityClient | HealthClient> {
  const { concurrency = 8 } = options
  const [picture, statuses] = yield* Effect.all(
    [
      readEvents(scope, options),
      Effect.forEach(scope.subscriptions, (subject) => StatusList.read(subject, options), { concurrency }),
    ],
    { concurrency: "unbounded" },
  )
  return { ...picture, statuses }
})

/** Returns the lists of events that may not be read, or do not exist, and are no failures. @category getters @since 0.4.0 */
export const outside = <E>({ events }: Pick<Picture<E>, "events">): ReadonlyArray<EventList.EventList<E>> =>
  events.filter((list) => EventList.isOutside(list, events))

/** Returns the lists of events that failed. @category getters @since 0.4.0 */
export const failed = <E>({ events }: Pick<Picture<E>, "events">): ReadonlyArray<EventList.EventList<E>> =>
  events.filter((list) => list.problem !== undefined && !EventList.isOutside(list, events))

/** Returns whether all events were read that were asked for. @category guards @since 0.4.0 */
export const hasAllEvents = ({ events }: Pick<Picture, "events">): boolean => events.every(EventList.isComplete)

/** Returns a function that assesses statuses of the subscriptions. @category conversions @since 0.4.0 */
export const assess = ({ events, impacted, now }: Picture): ((status: AvailabilityStatus) => Assessment.Assessment) => {
  const lists = events.map((list) => ({ ...list, isComplete: EventList.isComplete(list) }))
  const ofTag = (tag: "Everyone" | "Tenant") =>
    lists.find(({ subject }) => !Subject.isSubscription(subject) && subject._tag === tag)
  return Assessment.make(now, {
    subscriptions: lists.flatMap(({ subject, ...list }) =>
      Subject.isSubscription(subject) ? [{ ...list, id: subject }] : [],
    ),
    tenant: ofTag("Tenant"),
    everyone: ofTag("Everyone"),
    impacted: ImpactedLists.byEvent(impacted),
    metadata: ImpactedLists.completeMetadata(impacted),
    isComplete: true,
  })
}

/** Returns the IDs of the events of now that explain none of these resources, and are active in their services and regions. @category getters @since 0.4.0 */
export const nearby = (
  { events: lists, impacted, now }: Picture,
  all: ReadonlyArray<Assessment.Assessment>,
): ReadonlyArray<string> => {
  const shown = new Set(
    all.flatMap((one) => [...one.events.map(HealthEvent.trackingKey), Assessment.trackingId(one)?.toLowerCase()]),
  )
  const isUnderWay = Assessment.isUnderWay(now)
  const countOf = Nearby.bySubscription(
    all.map(({ status }) => status),
    now,
    ImpactedLists.completeMetadata(impacted),
  )
  const found = lists.flatMap(({ events, subject }) => {
    const count = countOf(Subject.isSubscription(subject) ? subject : undefined)
    const isOther = (event: HealthEvent.AnyEvent) => !shown.has(HealthEvent.trackingKey(event))
    return events.filter((event) => isUnderWay(event) && isOther(event) && count(event).sure > 0)
  })
  return Arr.dedupe(found.map(({ name }) => name || "one without an ID"))
}
