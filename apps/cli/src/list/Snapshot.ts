/** Reads all events of a report or timeline. */
import type * as HealthClient from "@vigil/health-client/HealthClient"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Verdict from "@vigil/health-report/Verdict"
import * as UnknownNames from "@vigil/health-report/UnknownNames"
import * as EventUnion from "@vigil/health-schema/EventUnion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Values } from "../command/Command.js"
import { Output, plural } from "../kit/Output.js"
import * as Connection from "../auth/Connection.js"
import * as Entry from "../event/Entry.js"
import * as Lists from "./Lists.js"
import * as Polling from "../event/Polling.js"
import * as Selection from "../event/Selection.js"
import * as Source from "../event/Source.js"
import * as Time from "../kit/Time.js"
import type { AnyEvent, EventPage } from "../event/AnyEvent.js"

/** Each reading needs the complete list, so that `vigil` selects events itself. */
const { filter: _, ...selection } = Selection.flags

export const flags = {
  ...Connection.flags,
  ...Lists.flags,
  apiVersion: Source.apiVersion,
  since: Time.since("30d"),
  ...selection,
  allowInvalid: Entry.allowInvalid,
}

export type Options = Values<typeof flags>

const defaultDays = 30

const start = (since: Time.Since, now: number): number =>
  Duration.isDuration(since) ? now - Duration.toMillis(since) : DateTime.toEpochMillis(since)

/** Pages may shift while they are read. */
const distinct = (events: ReadonlyArray<AnyEvent>): ReadonlyArray<AnyEvent> => {
  const seen = new Set<string | AnyEvent>()
  return events.filter((event) => seen.size < seen.add(HealthEvent.recordKey(event) ?? event).size)
}

const sourceOf = (lists: ReadonlyArray<Lists.List>, { resource, tenantWide }: Options): string => {
  if (tenantWide) return "Tenant"
  const noun = resource !== undefined ? "Resource" : lists.length === 1 ? "Subscription" : "Subscriptions"
  return `${noun} ${lists.map(({ id }) => id).join(", ")}`
}

/** Reads all pages with a client. Fails if all entries are invalid. */
export const readFrom = Effect.fnUntraced(function* <E, R>(
  connection: Connection.Connection<HealthClient.Service>,
  options: Options,
  /** `list`: the ID of the subscription or resource. */ onPage: (
    page: EventPage,
    list: string,
  ) => Effect.Effect<void, E, R>,
) {
  const now = yield* Clock.currentTimeMillis
  const from = start(options.since ?? Duration.days(defaultDays), now)
  const { selects } = Selection.make(options)
  const query = { apiVersion: options.apiVersion, queryStartTime: DateTime.makeUnsafe(from) }
  const lists = yield* Lists.make(connection, options, query)
  const { note, status } = yield* Output
  const { page: addPage, tally } = yield* Lists.makeProgress()
  const all = yield* Effect.forEach(lists, ({ id, pages }) => {
    const events: Array<ReadonlyArray<AnyEvent>> = []
    const take = (page: EventPage) => {
      events.push(selects === undefined ? page.items : page.items.filter(selects))
      return Effect.andThen(onPage(page, id), addPage(page))
    }
    const noteFailure = note(`${Polling.notePrefix(id)}Could not read all events of this subscription.`)
    return Stream.runForEach(pages(undefined), take).pipe(
      Effect.tapError(() => (lists.length === 1 ? Effect.void : noteFailure)),
      Effect.map(() => events.flat()),
    )
  }).pipe(Effect.ensuring(status(undefined)))
  yield* Entry.check(tally, options.allowInvalid)
  const [only = []] = all
  const events = all.length === 1 ? distinct(only) : EventUnion.mergeByTrackingId(all.flatMap(distinct))
  return { source: sourceOf(lists, options), events, invalid: tally.invalid, from, now } satisfies Snapshot
})

/** How many events there are, the time that they cover, a remark, and the verdict. */
export const summary = (snapshot: Snapshot, options: Options, remark = ""): string =>
  `${plural(snapshot.events.length, "event")}${Lists.period(options, defaultDays)}${remark}. ${Verdict.text(Verdict.make(snapshot))}`

/** Reads all pages, and notes invalid entries and filters that match nothing. */
export const read = Effect.fnUntraced(function* (options: Options) {
  yield* Lists.check(options)
  const names = UnknownNames.make(options)
  const onPage = (page: EventPage) =>
    Effect.andThen(
      Entry.warn(page),
      Effect.sync(() => names.add(page.items)),
    )
  const connection = yield* Connection.health(options)
  const snapshot = yield* readFrom(connection, { ...options, apiVersion: connection.apiVersion }, onPage)
  const { note } = yield* Output
  yield* Effect.forEach(names.sentences(), (sentence) => note(`vigil: ${sentence}`), { discard: true })
  return snapshot
})
