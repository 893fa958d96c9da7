/** What a tool reads: the lists of subscriptions, and the events that a call selects. */
import * as Find from "@vigil/health-client/Find"
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Sweep from "@vigil/health-client/Sweep"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Head from "./Head.js"
import { fail } from "./Scope.js"
import { type Call, attempt } from "./Session.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const maxDays = 365

export const maxSubscriptions = 100

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

export const countInvalid = (lists: ReadonlyArray<{ readonly invalid: ReadonlyArray<unknown> }>): number =>
  lists.reduce((sum, { invalid }) => sum + invalid.length, 0)

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

/** Reads the subscriptions of a call, all at once. */
export const readEach = Effect.fnUntraced(function* <A extends Omit<Head.Outcome, "subscription">, R>(
  call: Call,
  given: ReadonlyArray<string> | undefined,
  read: (subscription: SubscriptionId) => Effect.Effect<A, never, R>,
) {
  const ids = yield* call.scope.resolve(given)
  const readings = yield* Effect.forEach(
    ids.slice(0, maxSubscriptions),
    (subscription) => Effect.map(read(subscription), (reading) => ({ ...reading, subscription })),
    { concurrency: "unbounded" },
  )
  const problem = `A call reads ${maxSubscriptions} subscriptions. Pass this one in another call.`
  const others = ids.slice(maxSubscriptions).map((subscription) => ({ subscription, invalid: 0, valid: 0, problem }))
  return { readings, outcomes: [...readings, ...others] satisfies ReadonlyArray<Head.Outcome> }
})

const listOf = (
  subscription: SubscriptionId,
  events: ReadonlyArray<HealthEvent.AnyEvent>,
  problem: string | undefined,
  invalid = 0,
) => ({ list: { subscription, events }, invalid, valid: events.length, problem })

const readList = (call: Call, queryStartTime: DateTime.Utc) => (subscription: SubscriptionId) =>
  Effect.gen(function* () {
    const { pagesBySubscription } = yield* HealthClient
    const pages = pagesBySubscription(subscription, { apiVersion: call.options.apiVersion, queryStartTime })
    const { invalid, items, problem } = yield* Listing.collect(pages, (list) => attempt(call, subscription, list))
    return listOf(subscription, items, problem, invalid.length)
  })

const daysBefore = (now: DateTime.Utc, days: number) => DateTime.subtractDuration(now, Duration.days(days))

/** Reads all lists to their last pages, and selects events. */
export const read = Effect.fnUntraced(function* (call: Call, query: InPeriod) {
  const now = yield* DateTime.now
  const isIn = inPeriod(yield* timeOf("from", query.from, now, "after"), yield* timeOf("to", query.to, now, "after"))
  const from = daysBefore(now, query.days ?? Limits.activeDaysBack)
  const { outcomes, readings } = yield* readEach(call, query.subscriptions, readList(call, from))
  const matches = Events.matches(query)
  const names = UnknownNames.make(query)
  for (const { list } of readings) names.add(list.events)
  const hints = [...call.scope.hints(query.subscriptions), ...names.sentences()]
  return {
    now,
    from,
    hints,
    readings,
    outcomes,
    head: Head.make(call, { now, from, outcomes, hints }),
    found: Sweep.join(readings.map(({ list }) => list)).filter(({ event }) => matches(event) && isIn(event)),
  }
})

/** Finds an event in every subscription. Fails if all were read, and none has it. */
export const find = Effect.fnUntraced(function* (call: Call, { trackingId, ...given }: One) {
  const now = yield* DateTime.now
  const from = daysBefore(now, maxDays)
  const readAll = readList(call, from)
  const isWanted = ({ name }: HealthEvent.AnyEvent) => name === trackingId || quote.id(name) === trackingId
  const { outcomes, readings } = yield* readEach(call, given.subscriptions, (subscription) => {
    // A substitute of `quote.id` is only in lists.
    if (!Schema.is(TrackingId)(trackingId) || trackingId.startsWith("~"))
      return Effect.map(readAll(subscription), ({ list, problem }) =>
        listOf(subscription, list.events.filter(isWanted), problem),
      )
    const query = { apiVersion: call.options.apiVersion, queryStartTime: from }
    return Effect.map(
      attempt(call, subscription, Find.find<ApiVersion>(subscription, trackingId, query)),
      Result.match({
        onFailure: (problem) => listOf(subscription, [], problem),
        onSuccess: (event) => listOf(subscription, event === undefined ? [] : [event], undefined),
      }),
    )
  })
  const [found] = Sweep.join(readings.map(({ list }) => list))
  const hints = call.scope.hints(given.subscriptions)
  if (found === undefined && outcomes.every(({ problem }) => problem === undefined))
    return yield* fail(
      `No subscription has the event ${JSON.stringify(quote.line(trackingId, 100))}. Check the tracking ID with health_events.`,
    )
  return { now, from, hints, outcomes, found }
})
