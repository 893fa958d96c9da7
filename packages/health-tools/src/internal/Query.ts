/** What a tool reads: the lists of subscriptions, and the events that a call selects. */
import * as Find from "@vigil/health-client/Find"
import type { HealthClient } from "@vigil/health-client/HealthClient"
import * as Sweep from "@vigil/health-client/Sweep"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as Coverage from "@vigil/health-verdict/Coverage"
import * as EventList from "@vigil/health-verdict/EventList"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Head from "./Head.js"
import * as Lists from "./Lists.js"
import { fail } from "./Scope.js"
import { type Call, attempt } from "./Session.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const maxDays = 365

export const list = <S extends Schema.Constraint>(of: S, description: string) =>
  Schema.optionalKey(Schema.Array(of).pipe(Schema.check(Schema.isMaxLength(100)), Schema.annotate({ description })))

export const text = Schema.String.check(Schema.isMaxLength(200))

const time = (description: string) => Schema.optionalKey(text.pipe(Schema.annotate({ description })))

const subscriptions = list(text, "Names or IDs")

/** Which events. */
export class Query extends Schema.Opaque<Query>()(
  Schema.Struct({
    subscriptions,
    days: Schema.optionalKey(
      Schema.Finite.pipe(
        Schema.check(Schema.isBetween({ minimum: 0, maximum: maxDays })),
        Schema.annotate({ description: `Updated in these last days. Default: ${Limits.activeDaysBack}` }),
      ),
    ),
    type: list(Schema.Literals(Enumerations.EventType.known), "Any of these types"),
    status: list(Schema.Literals(Enumerations.EventStatus.known), "Active is every status but Resolved"),
    level: list(Schema.Literals(Enumerations.EventLevel.known), "Any of these levels"),
    service: list(text, "By full name, any of these"),
    region: list(text, "Such as westeurope"),
  }),
) {}

/** Which events, also by a period. */
export class InPeriod extends Schema.Opaque<InPeriod>()(
  Schema.Struct({
    ...Query.fields,
    from: time("Only events that start or end then or later: ISO 8601, or a duration from now such as 0d"),
    to: time("Only events that start or end before then, as from"),
  }),
) {}

/** Selects one event. */
export class One extends Schema.Opaque<One>()(
  Schema.Struct({
    trackingId: text.pipe(Schema.annotate({ description: "As in answers of the other tools" })),
    subscriptions,
  }),
) {}

/** The time of a parameter. */
export const timeOf = Effect.fnUntraced(function* (
  name: string,
  text: string | undefined,
  now: DateTime.Utc,
  direction: "before" | "after",
) {
  if (text === undefined) return undefined
  const found = Time.parse(text, now, direction)
  return Option.isSome(found) ? found.value : yield* fail(`${name} is not ${Time.expected}.`)
})

/** Selects what starts or ends in the period, or lasts from before it to after it. */
const inPeriod = (from: DateTime.Utc | undefined, to: DateTime.Utc | undefined) => {
  if (from === undefined && to === undefined) return () => true
  const first = from === undefined ? Number.NEGATIVE_INFINITY : DateTime.toEpochMillis(from)
  const last = to === undefined ? Number.POSITIVE_INFINITY : DateTime.toEpochMillis(to)
  const isIn = (time: number) => time >= first && time < last
  return ({ properties }: HealthEvent.AnyEvent): boolean => {
    const [start, end] = [Time.millis(properties?.impactStartTime), Time.millis(properties?.impactMitigationTime)]
    return isIn(start) || isIn(end) || (start < first && end >= last)
  }
}

const daysBefore = (now: DateTime.Utc, days: number) => DateTime.subtractDuration(now, Duration.days(days))

/** The events of lists, and whose lists contain them. */
export const join = (lists: ReadonlyArray<Pick<EventList.EventList, "events" | "subject">>) =>
  Sweep.join<ApiVersion, Subject.Subject>(lists.map(({ events, subject }) => ({ events, subscription: subject })))

/** The events that a query selects, and what it may have misspelled. `from`: events without an update since then are only selected if they are active. */
export const select = Effect.fnUntraced(function* (call: Call, query: InPeriod, now: DateTime.Utc) {
  const isIn = inPeriod(yield* timeOf("from", query.from, now, "after"), yield* timeOf("to", query.to, now, "after"))
  const from = daysBefore(now, query.days ?? Limits.activeDaysBack)
  const start = DateTime.toEpochMillis(from)
  const isRecent = (event: HealthEvent.AnyEvent) =>
    !(Time.millis(event.properties?.lastUpdateTime) < start) || (query.days === undefined && Events.isActive(event))
  const matches = Events.matches(query)
  return {
    from,
    /** The start of the lists. Default: all active events. */
    queryStartTime: query.days === undefined ? undefined : from,
    of: (lists: ReadonlyArray<EventList.EventList>) => {
      const names = UnknownNames.make(query)
      for (const { events } of lists) names.add(events)
      return {
        hints: [...call.scope.hints(query.subscriptions), ...names.sentences()],
        found: join(lists).filter(({ event }) => matches(event) && isIn(event) && isRecent(event)),
      }
    },
  }
})

/** Whether a query is of more days than the default. */
export const isBeforeDefault = ({ days = 0 }: Pick<Query, "days">): boolean => days > Limits.activeDaysBack

export const validOf = (lists: ReadonlyArray<EventList.EventList>) =>
  lists.map((list) => ({ ...list, valid: list.events.length }))

/** Reads all lists to their last pages, and selects events. */
export const read = Effect.fnUntraced(function* (call: Call, query: InPeriod) {
  const now = yield* DateTime.now
  const { from, of, queryStartTime } = yield* select(call, query, now)
  const scope = yield* Lists.scopeOf(call, query.subscriptions)
  const options = { ...Lists.optionsOf(call), queryStartTime }
  const picture = Lists.distinct(yield* Picture.readEvents({ ...scope, withoutImpacted: true }, options))
  const { found, hints } = of(picture.events)
  const outcomes = Lists.outcomesOf(scope, validOf(picture.events))
  return {
    now,
    outcomes,
    picture,
    head: Head.make(call, { now, from, outcomes, hints, ...Head.shared(call, picture) }),
    found,
  }
})

/** Reads the list of a subject, of which only the events count that are wanted. */
const readWanted = (call: Call, subject: Subject.Subject, from: DateTime.Utc, trackingId: string) => {
  const isWanted = ({ name }: HealthEvent.AnyEvent) => name === trackingId || quote.id(name) === trackingId
  return Effect.map(
    EventList.read(subject, { ...Lists.optionsOf(call), queryStartTime: from }),
    (list): EventList.EventList => ({ ...list, events: list.events.filter(isWanted) }),
  )
}

/** Finds an event in every list. Fails if all were read, and none has it. */
export const find = Effect.fnUntraced(function* (call: Call, { trackingId, ...given }: One) {
  const now = yield* DateTime.now
  const from = daysBefore(now, maxDays)
  const scope = yield* Lists.scopeOf(call, given.subscriptions)
  const { all, leftOut } = Picture.subjects(scope)
  const query = { apiVersion: call.options.apiVersion, queryStartTime: from }
  const empty = { invalid: [], issues: [], older: 0, isAbsent: false, error: undefined }
  const events = yield* Effect.forEach(
    all,
    (subject): Effect.Effect<EventList.EventList, never, HealthClient> =>
      // A substitute of `quote.id` is only in lists.
      !Schema.is(TrackingId)(trackingId) || trackingId.startsWith("~") || !Subject.isSubscription(subject)
        ? readWanted(call, subject, from, trackingId)
        : Effect.map(
            attempt(call, subject, Find.find<ApiVersion>(subject, trackingId, query)),
            Result.match({
              onFailure: (problem) => ({ ...empty, subject, events: [], readAt: undefined, problem }),
              onSuccess: (event) => ({
                ...empty,
                subject,
                events: event === undefined ? [] : [event],
                readAt: DateTime.toEpochMillis(now),
                problem: undefined,
              }),
            }),
          ),
    { concurrency: "unbounded" },
  )
  const [found] = join(events)
  const outcomes = Lists.outcomesOf(scope, validOf(events))
  const hints = call.scope.hints(given.subscriptions)
  const lists = { events, leftOut }
  const isAllRead = outcomes.every(({ problem }) => problem === undefined) && Coverage.isComplete(lists)
  if (found === undefined && isAllRead) {
    const remark = Coverage.remark(lists, call.scope.label)
    const where = remark === "" ? "" : ` (${remark})`
    return yield* fail(
      `No list has the event ${JSON.stringify(quote.line(trackingId, 100))}${where}. Check the tracking ID with health_events.`,
    )
  }
  return { now, from, hints, outcomes, found, ...Head.shared(call, lists) }
})
