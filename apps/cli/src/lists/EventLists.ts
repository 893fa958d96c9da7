/** Reads all events of a report or timeline. A subscription that fails does not hide the others. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as EventSummary from "@vigil/health-report/EventSummary"
import * as Limits from "@vigil/health-schema/Limits"
import { enumerate } from "@vigil/health-text/Sentence"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Values } from "../command/Command.js"
import * as Connection from "../connection/Connection.js"
import * as Flag from "../flags/Flag.js"
import * as Time from "../flags/Time.js"
import { Output, plural } from "../output/Output.js"
import * as Entry from "./Entry.js"
import * as EventSelection from "./EventSelection.js"
import * as EventSnapshot from "./EventSnapshot.js"
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

export const resources = Flag.boolean("Also read which resources are not available")

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

/** Which lists the flags select. */
export const scopeOf = ({ resource, tenantWide }: Lists.Flags, subscriptions: ReadonlyArray<SubscriptionId>) => ({
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
  const from = Time.start(since, yield* Clock.currentTimeMillis)
  const ids = yield* Lists.subscriptions(connection, options)
  const { selects } = EventSelection.make(options)
  const names = UnknownNames.make(options)
  const isNeeded = (subject: Subject.Subject) => Subject.isSubscription(subject) || ids.length === 0
  let valid = 0
  const picture = yield* Pictures.read(
    { ...connection, withoutTenant: connection.withoutTenant && !isTenant },
    { ...scopeOf(options, ids), withoutImpacted: !withStatuses },
    {
      withStatuses,
      // States are judged by all events of now, whatever is drawn.
      ...(withStatuses ? {} : { selects, queryStartTime: DateTime.makeUnsafe(from) }),
      onPage: ({ items, older }, subject) =>
        Effect.sync(() => {
          names.add(items)
          if (isNeeded(subject)) valid += items.length + older
        }),
    },
  )
  yield* Pictures.noteGaps(connection, picture, "events")
  const { events: lists, now } = picture
  const invalid = lists.reduce((sum, list) => sum + (isNeeded(list.subject) ? list.invalid.length : 0), 0)
  yield* Entry.check({ events: valid, invalid }, options.allowInvalid)
  const { note } = yield* Output
  // A list that was not read may have events that name a filter's value.
  if (Picture.failed(picture).length === 0)
    yield* Effect.forEach(names.sentences(), (sentence) => note(`vigil: ${sentence}`), { discard: true })
  return {
    snapshot: EventSnapshot.make(picture, { names: connection.names, from: Time.start(since, now), selects }),
    subject: describe(connection, picture),
    end: Pictures.end(picture),
  }
})
