/** Reads all events of a report or timeline. A subscription that fails does not hide the others. */
import * as Listing from "@vigil/health-client/Listing"
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as EventSummary from "@vigil/health-report/EventSummary"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { Values } from "../command/Command.js"
import * as Defect from "../output/Defect.js"
import * as Failure from "../command/Failure.js"
import type { AnyEvent, EventPage } from "../connection/AnyEvent.js"
import * as Connection from "../connection/Connection.js"
import * as InvalidEntries from "../connection/InvalidEntries.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Time from "../flags/Time.js"
import { notePrefix, Output, plural } from "../output/Output.js"
import * as Entry from "./Entry.js"
import * as EventResources from "./EventResources.js"
import * as EventSelection from "./EventSelection.js"
import * as KnownSnapshot from "./KnownSnapshot.js"
import * as Known from "./Known.js"
import * as Lists from "./Lists.js"
import * as ResourceStatuses from "./ResourceStatuses.js"

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

interface Failed<E> {
  readonly list: Lists.Subject
  readonly error: E
}

/** Notes the lists that failed. Fails with the error of the only list, or if all failed. */
export const noteFailures = Effect.fnUntraced(function* <E extends Failure.Failure>(
  failures: ReadonlyArray<Failed<E>>,
  total: number,
) {
  const { note } = yield* Output
  const [first] = failures
  if (first !== undefined && total === 1) return yield* Effect.fail(first.error)
  for (const { error, list } of failures) yield* note(notePrefix(list.subject) + Failure.plain(error))
  if (failures.length === total)
    yield* Lists.failIfIncomplete(
      total,
      total,
      failures.map(({ error }) => error),
    )
})

/** Notes invalid entries, and the lists that failed. */
const readResources = Effect.fnUntraced(function* (connection: Connection.Health, lists: ReadonlyArray<Lists.Subject>) {
  const { note } = yield* Output
  const outcomes = yield* ResourceStatuses.readLists(
    yield* connection.availability,
    { ...connection, lists: ResourceStatuses.listsOf(lists) },
    ({ error, invalid, list }) => {
      const prefix = notePrefix(list.subject)
      const noted = error === undefined ? Effect.void : note(prefix + Failure.plain(error))
      return Effect.andThen(InvalidEntries.note({ invalid }, { noun: Lists.statusNoun.entry, prefix }), noted)
    },
  )
  return outcomes.map((outcome) => ({ ...Known.fromOutcome(outcome), statuses: outcome.statuses }))
})

/** Notes the lists that failed. */
const readImpacted = Effect.fnUntraced(function* (
  connection: Connection.Health,
  outcomes: ReadonlyArray<Outcome>,
  now: number,
) {
  const { note } = yield* Output
  const impacted = yield* EventResources.read(connection, outcomes, now)
  for (const { problem, source } of ImpactedLists.failures(impacted)) yield* note(`${notePrefix(source)}${problem}`)
  return impacted
})

/**
 * Reads all pages, and notes invalid entries, filters that match nothing, and subscriptions that failed. `end` fails if one failed: the command
 * runs it after its output.
 */
export const read = Effect.fnUntraced(function* ({
  resources: withResources = false,
  ...options
}: Options & { readonly resources?: boolean }) {
  yield* Lists.checkFlags(options)
  yield* Lists.requireSubscriptions(options, { "--resources": withResources })
  const names = UnknownNames.make(options)
  const onPage = (page: EventPage, list: Lists.List) => {
    names.add(page.items)
    return InvalidEntries.note(page, { prefix: notePrefix(list.subject) })
  }
  const connection = yield* Connection.health(options)
  const { apiVersion } = connection
  const makeLists = yield* Lists.make(connection, options)
  const [reading, statuses] = yield* Effect.all(
    [
      readLists({ ...connection, makeLists }, { ...options, apiVersion }, onPage),
      withResources ? readResources(connection, makeLists({ apiVersion })) : Effect.succeed([]),
    ],
    { concurrency: "unbounded" },
  )
  const { outcomes } = reading
  const failures = outcomes.flatMap(({ error, list }) => (error === undefined ? [] : [{ error, list }]))
  yield* noteFailures(failures, outcomes.length)
  const invalid = outcomes.reduce((sum, outcome) => sum + outcome.invalid.length, 0)
  const events = outcomes.reduce((sum, { valid }) => sum + valid, 0)
  yield* Entry.check({ events, invalid }, options.allowInvalid)
  const { note } = yield* Output
  // A subscription that was not read may have events that name a filter's value.
  if (failures.length === 0)
    yield* Effect.forEach(names.sentences(), (sentence) => note(`vigil: ${sentence}`), { discard: true })
  const known = outcomes.map((outcome) => ({
    ...Known.fromOutcome(outcome),
    ...Struct.pick(outcome, ["events", "older"]),
  }))
  const impacted = withResources ? yield* readImpacted(connection, outcomes, reading.now) : ImpactedLists.none
  const unread = [...statuses, ...impacted.events].filter(({ problem }) => problem !== undefined)
  const failed = new Set([...failures, ...unread].map((one) => ("list" in one ? one.list.id : one.owner)))
  const isFiltered = EventSelection.make(options).selects !== undefined
  const complete = outcomes.flatMap(({ error, list }) => (error === undefined ? [list] : []))
  return {
    snapshot: {
      ...KnownSnapshot.make(known, { ...reading, isFiltered }),
      resources: withResources ? ResourceStatuses.make(statuses, impacted) : undefined,
    },
    /** What was read, in a few words. */
    subject: Lists.summary(connection, complete),
    end: Lists.failIfIncomplete(failed.size, outcomes.length),
  }
})
