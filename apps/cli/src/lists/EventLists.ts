/** Reads all events of a report or timeline. A subscription that fails does not hide the others. */
import * as Listing from "@vigil/health-client/Listing"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as EventSummary from "@vigil/health-report/EventSummary"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import { enumerate } from "@vigil/health-text/Sentence"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Values } from "../command/Command.js"
import * as Defect from "../output/Defect.js"
import type { AnyEvent, EventPage } from "../connection/AnyEvent.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Time from "../flags/Time.js"
import { Output, plural } from "../output/Output.js"
import * as Entry from "./Entry.js"
import * as EventSelection from "./EventSelection.js"
import * as EventSnapshot from "./EventSnapshot.js"
import type * as KnownSnapshot from "./KnownSnapshot.js"
import type * as Known from "./Known.js"
import * as Lists from "./Lists.js"
import * as Pictures from "./Pictures.js"

/** Each reading needs the complete list, so that `vigil` selects events itself. */
const { filter: _, ...selection } = EventSelection.flags

export const flags = {
  ...Connection.flags,
  ...Lists.flags,
  apiVersion: Connection.apiVersion,
  since: Time.since(`${Limits.activeDaysBack}d`),
  ...selection,
  allowInvalid: Entry.allowInvalid,
}

export type Options = Values<typeof flags>

const start = (since: Time.Since, now: number): number =>
  Duration.isDuration(since) ? now - Duration.toMillis(since) : DateTime.toEpochMillis(since)

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

/** What was read of a list. */
export interface Outcome extends Known.Outcome, Pick<KnownSnapshot.KnownEvents, "older"> {
  /** Those that the flags select, without duplicates. */
  readonly events: ReadonlyArray<AnyEvent>
  /** How many entries of the list are valid, selected or not. */
  readonly valid: number
}

export interface Times extends Pick<Snapshot, "from" | "now"> {
  /** Since when the pages have events: at `from`, or before. */
  readonly readFrom: number
}

/** Whether an event was updated at or after a time, or has no update time. */
const isSince =
  (from: number) =>
  ({ properties }: AnyEvent): boolean =>
    Option.match(Timestamp.instant(properties?.lastUpdateTime), {
      onNone: () => true,
      onSome: (at) => DateTime.toEpochMillis(at) >= from,
    })

interface Source extends Pick<Connection.Health, "listTimeout"> {
  readonly makeLists: Effect.Success<ReturnType<typeof Lists.make>>
}

/** Reads all pages of the lists, and calls `onOutcome` as each ends. The pages have at least the events of `reach`. */
export const readLists = Effect.fnUntraced(function* <E = never, R = never>(
  { listTimeout, makeLists }: Source,
  options: Options,
  onPage: (page: EventPage, list: Lists.List) => Effect.Effect<void, never, R>,
  onOutcome: (outcome: Outcome, times: Times) => Effect.Effect<void, E, R> = () => Effect.void,
  reach: Duration.Duration = Duration.zero,
) {
  const now = yield* Clock.currentTimeMillis
  const from = start(options.since ?? Duration.days(Limits.activeDaysBack), now)
  const readFrom = Math.min(from, now - Duration.toMillis(reach))
  const { selects } = EventSelection.make(options)
  const query = { apiVersion: options.apiVersion, queryStartTime: DateTime.makeUnsafe(readFrom) }
  const { status } = yield* Output
  const progress = yield* Lists.makeProgress()
  const read = (list: Lists.List) => {
    let [valid, older] = [0, 0]
    const pages = Stream.mapEffect(list.pages(undefined), (page) => {
      valid += page.items.length + page.older
      older += page.older
      const recent = readFrom < from ? page.items.filter(isSince(from)) : page.items
      const items = selects === undefined ? recent : recent.filter(selects)
      return Effect.as(Effect.andThen(onPage(page, list), progress.page(page)), { ...page, items })
    })
    return Listing.collect(pages, Lists.attempt({ listTimeout })).pipe(
      Effect.map(({ invalid, items, problem: error }) => ({
        list,
        events: distinct(items),
        invalid,
        valid,
        older,
        error,
      })),
      Effect.catchDefect((defect) =>
        Effect.succeed({ list, events: [], invalid: [], valid: 0, older: 0, error: Defect.make(defect) }),
      ),
      Effect.tap((outcome) => onOutcome(outcome, { from, now, readFrom })),
    )
  }
  const outcomes = yield* Effect.forEach(makeLists(query), read, { concurrency: Subscriptions.concurrency }).pipe(
    Effect.ensuring(status(undefined)),
  )
  return { from, now, outcomes }
})

/** How many events of what there are, the time that they cover, a remark, the verdict, and the states of resources. */
export const summary = (
  { snapshot, subject }: { readonly snapshot: Snapshot; readonly subject: string },
  options: Options,
  remark = "",
): string => {
  const states = ResourceStates.make(snapshot)
  return [
    `${plural(snapshot.events.length, "event")} of ${subject}${Lists.period(options, Limits.activeDaysBack)}${remark}.`,
    EventSummary.text(EventSummary.make(snapshot)),
    ...(states === undefined ? [] : [ResourceStates.text(states)]),
  ].join(" ")
}

const scopeOf = ({ resource, tenantWide }: Lists.Flags, subscriptions: ReadonlyArray<SubscriptionId>) => ({
  subscriptions,
  resource,
  withoutEveryone: tenantWide === true,
})

/** What was read, in a few words: the tenant and emerging issues only if they have events. */
const describe = ({ names }: Connection.Health, { events }: Pictures.Read): string => {
  const read = events.filter((list) => list.problem === undefined || list.events.length > 0)
  const ids = read.flatMap(({ subject }) => (Subject.isSubscription(subject) ? [subject] : []))
  const others = read.flatMap(({ events, subject }) =>
    Subject.isSubscription(subject) || (ids.length > 0 && events.length === 0) ? [] : [Subject.label(subject)],
  )
  return enumerate([...(ids.length === 0 && others.length > 0 ? [] : [names.summary(ids)]), ...others])
}

/**
 * Reads what a report is made of, and notes invalid entries, filters that match nothing, and lists that failed. `end` fails if one failed: the command
 * runs it after its output.
 */
export const read = Effect.fnUntraced(function* ({
  resources: withStatuses = false,
  ...options
}: Options & { readonly resources?: boolean }) {
  yield* Lists.checkFlags(options)
  yield* Lists.requireSubscriptions(options, { "--resources": withStatuses })
  const connection = yield* Connection.health(options)
  const isTenant = options.tenantWide
  const since = options.since ?? Duration.days(Limits.activeDaysBack)
  const from = start(since, yield* Clock.currentTimeMillis)
  const picture = yield* Pictures.read(
    { ...connection, withoutTenant: connection.withoutTenant && !isTenant },
    { ...scopeOf(options, yield* Lists.subscriptions(connection, options)), withoutImpacted: !withStatuses },
    // States are judged by all events of now, whatever is drawn.
    { withStatuses, queryStartTime: withStatuses ? undefined : DateTime.makeUnsafe(from) },
  )
  yield* Pictures.noteGaps(connection, picture, "events")
  const { events: lists, now } = picture
  const needed = lists.filter(({ subject }) => Subject.isSubscription(subject) || lists.length === 1)
  const valid = needed.reduce((sum, { events, older }) => sum + events.length + older, 0)
  const invalid = needed.reduce((sum, list) => sum + list.invalid.length, 0)
  yield* Entry.check({ events: valid, invalid }, options.allowInvalid)
  const { note } = yield* Output
  const names = UnknownNames.make(options)
  for (const { events } of lists) names.add(events)
  // A list that was not read may have events that name a filter's value.
  if (Picture.failed(picture).length === 0)
    yield* Effect.forEach(names.sentences(), (sentence) => note(`vigil: ${sentence}`), { discard: true })
  const { selects } = EventSelection.make(options)
  return {
    snapshot: EventSnapshot.make(picture, { names: connection.names, from: start(since, now), selects }),
    subject: describe(connection, picture),
    end: Pictures.end(picture),
  }
})
