/** What a report or a page draws of a picture: the events that flags select, each once, and what was read of resources. */
import type { Resources, Snapshot } from "@vigil/health-report/Snapshot"
import * as EventUnion from "@vigil/health-schema/EventUnion"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Coverage from "@vigil/health-verdict/Coverage"
import * as EmergingEvents from "@vigil/health-verdict/EmergingEvents"
import * as EventList from "@vigil/health-verdict/EventList"
import type { FailedList } from "@vigil/health-verdict/Evidence"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import type { Picture } from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { AnyEvent } from "../connection/AnyEvent.js"
import { plural } from "../output/Output.js"
import type { SubscriptionNames } from "../settings/SubscriptionNames.js"

export interface Options extends Pick<Snapshot, "from"> {
  readonly names: SubscriptionNames
  /** Selects the events to draw. States are judged by all. Default: all. */
  readonly selects?: ((event: AnyEvent) => boolean) | undefined
}

/** Pages may shift while they are read. An event may have several records with one ID. */
const distinct = (events: ReadonlyArray<AnyEvent>): ReadonlyArray<AnyEvent> => {
  /** By ID: the first record, and the texts of all once there are several. */
  const seen = new Map<string, { readonly first: AnyEvent; texts?: Set<string> }>()
  return events.filter((event) => {
    const key = HealthEvent.recordKey(event)
    if (key === undefined) return true
    const known = seen.get(key)
    if (known === undefined) {
      seen.set(key, { first: event })
      return true
    }
    const texts = (known.texts ??= new Set([JSON.stringify(known.first)]))
    const { size } = texts
    return texts.add(JSON.stringify(event)).size > size
  })
}

type Lists = Picture["events"]

/** Whether an event was updated at or after a time, or has no update time. The service does not filter the events of a resource by time. */
export const isSince =
  (from: number, { subject }: Pick<Lists[number], "subject">) =>
  ({ properties }: AnyEvent): boolean =>
    (!Subject.isSubscription(subject) && subject._tag === "Resource") ||
    Option.match(Timestamp.instant(properties?.lastUpdateTime), {
      onNone: () => true,
      onSome: (at) => DateTime.toEpochMillis(at) >= from,
    })

/** One list may have several records of an event. They stay apart, unless another list has the event. */
const merge = (lists: Lists): ReadonlyArray<AnyEvent> => {
  const hasSubscriptions = lists.some(({ subject }) => Subject.isSubscription(subject))
  const isOwn = ({ subject }: Lists[number]) => Subject.isSubscription(subject) || !hasSubscriptions
  const own = lists.filter(isOwn)
  const [events, others] = [own, lists.filter((list) => !isOwn(list))].map((some) => some.flatMap((one) => one.events))
  const keys = new Set(others?.map(HealthEvent.eventKey))
  const { alone = [], copied = [] } = Object.groupBy(events ?? [], (event) =>
    own.length > 1 || keys.has(HealthEvent.eventKey(event)) ? "copied" : "alone",
  )
  return [...alone, ...EventUnion.mergeByTrackingId([...copied, ...(others ?? [])])]
}

/** The lists with the events that are drawn. */
export const select = (lists: Lists, { from, selects = () => true }: Options): Lists => {
  const all = lists.flatMap(({ events }) => events)
  return lists.map((list) => {
    const events = list.subject === Subject.everyone ? EmergingEvents.distinct(list.events, all) : list.events
    const isRecent = isSince(from, list)
    return { ...list, events: distinct(events.filter((event) => isRecent(event) && selects(event))) }
  })
}

/** Whether active events are not drawn, since they were updated before the interval. */
const hidesActive = (lists: Lists, from: number): boolean =>
  lists.some((list) => {
    const isRecent = isSince(from, list)
    return list.events.some((event) => Events.isActive(event) && !isRecent(event))
  })

const titles = { Everyone: "Emerging issues", Tenant: "The tenant" } as const

/** What a list that could not be read is called: `Subscription Production (…)`, `The tenant`. */
const sourceOf = (subject: Subject.Subject, names: SubscriptionNames): string => {
  if (Subject.isSubscription(subject)) return `Subscription ${names.title(subject)}`
  return subject._tag === "Resource" ? `Resource ${subject.id}` : titles[subject._tag]
}

/** Of all that was read, for a heading. */
const heading = (lists: Lists, names: SubscriptionNames): string => {
  const ids = lists.flatMap(({ subject }) => (Subject.isSubscription(subject) ? [subject] : []))
  return ids.length > 1
    ? `Subscriptions ${ids.map(names.title).join(", ")}`
    : lists
        .slice(0, 1)
        .map(({ subject }) => sourceOf(subject, names))
        .join("")
}

type AnyList = Lists[number] | Picture["statuses"][number]

const failedOf = (lists: ReadonlyArray<AnyList>, source: (subject: Subject.Subject) => string) =>
  lists.flatMap(({ problem, readAt, subject }): ReadonlyArray<FailedList> =>
    problem === undefined ? [] : [{ source: source(subject), problem, readAt }],
  )

const invalidOf = (lists: ReadonlyArray<AnyList>): number => lists.reduce((sum, { invalid }) => sum + invalid.length, 0)

/** More lists are counted, not named. */
const maxNames = 3

/** `undefined` if no statuses were asked for. */
const resourcesOf = ({ impacted, statuses: lists }: Picture, names: SubscriptionNames): Resources | undefined => {
  if (lists.length === 0) return undefined
  const read = lists.filter(
    (list) => list.problem === undefined || list.readAt !== undefined || list.statuses.length > 0,
  )
  const failed = failedOf(lists, (subject) => `Resources of ${sourceOf(subject, names)}`)
  return {
    source:
      read.length > maxNames
        ? plural(read.length, "subscription")
        : read.map(({ subject }) => names.label(subject)).join(", "),
    statuses: lists.flatMap(({ statuses }) => statuses),
    invalid: invalidOf(lists),
    failed: [...failed, ...ImpactedLists.failures(impacted)],
    impacted: ImpactedLists.byEvent(impacted),
    metadata: ImpactedLists.completeMetadata(impacted),
  }
}

/** Returns what is drawn of a picture. If it has statuses, its lists of events must go back 90 days, as `Picture.read` reads them by default. */
export const make = (picture: Picture, options: Options): Snapshot => {
  const { events: lists, now } = picture
  const { from, names, selects } = options
  // A list beside those of subscriptions that has a problem without an error did not fail, such as one without any entry.
  const failed = lists.filter(
    (list) => Subject.isSubscription(list.subject) || list.error !== undefined || list.invalid.length > 0,
  )
  const gaps = Coverage.gaps(picture).filter(
    ({ kind, subject }) => kind !== "failed" || !failed.some((list) => list.subject === subject),
  )
  const isFailed = (list: Lists[number]) => !gaps.some(({ subject }) => subject === list.subject)
  const judged = lists.map((list) => ({ ...list, isComplete: EventList.isComplete(list) }))
  return {
    source: heading(lists, names),
    events: merge(select(lists, options)),
    subscriptions: judged.flatMap(({ subject, ...list }) =>
      Subject.isSubscription(subject) ? [{ ...list, id: subject, name: names.nameOf(subject) }] : [],
    ),
    tenant: judged.find(({ subject }) => !Subject.isSubscription(subject) && subject._tag === "Tenant"),
    everyone: judged.find(({ subject }) => subject === Subject.everyone),
    invalid: invalidOf(lists),
    failed: failedOf(lists.filter(isFailed), (subject) => sourceOf(subject, names)),
    gaps,
    isFiltered: selects !== undefined || hidesActive(lists, from),
    resources: resourcesOf(picture, names),
    from,
    now,
  }
}
