/** The tool that reads the states of the resources of subscriptions: `health_resources`. */
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import * as Listing from "@vigil/health-client/Listing"
import * as Scope from "@vigil/health-client/Scope"
import * as Selection from "@vigil/health-client/Selection"
import * as StatusChanges from "@vigil/health-client/StatusChanges"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Limits from "@vigil/health-schema/Limits"
import { plural } from "@vigil/health-text/Sentence"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Head from "./Head.js"
import * as Query from "./Query.js"
import { type Call, attempt, messageOf, runIn } from "./Session.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const number = Schema.optionalKey(Schema.Finite)

/** What could not be read, so that a state may have another cause. */
const gapsOf = ({ events, impacted }: Picture.Picture, { scope }: Call): ReadonlyArray<string> => [
  ...events.flatMap(({ invalid, problem, subject }) => {
    const { length } = invalid
    const why = problem ?? (length > 0 ? plural(length, "invalid entry", "invalid entries") : undefined)
    const label = Subject.isSubscription(subject) ? scope.label(subject) : Subject.label(subject)
    return why === undefined ? [] : [`Not all events of ${label} were read: ${why}`]
  }),
  ...ImpactedLists.failures(impacted).map(({ problem, source }) => `${source}: ${problem}`),
]

/** Which resources. */
export class Selected extends Schema.Opaque<Selected>()(
  Schema.Struct({
    subscriptions: Query.Query.fields.subscriptions,
    state: Query.list(Schema.Literals(Enumerations.AvailabilityState.known), "Any of these states"),
    type: Query.list(Query.text, "Such as Vendor.Sql/servers"),
    group: Query.list(Query.text, "Any of these groups"),
    name: Query.list(Query.text, "Any of these names"),
  }),
) {}

/** How many. */
export class Counts extends Schema.Opaque<Counts>()(
  Schema.Struct({
    /** How many resources match. */
    total: number,
    /** Of all resources that were read, whatever is selected. */
    states: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
  }),
) {}

/** A resource. */
export class State extends Schema.Opaque<State>()(
  Schema.Struct({
    state: Schema.String,
    who: Schema.optionalKey(Schema.String),
    trackingId: Schema.optionalKey(Schema.String),
    since: Schema.optionalKey(Schema.String),
    quotedReason: Schema.String,
    quotedSummary: Schema.String,
    quotedId: Schema.String,
    subscription: Schema.String,
  }),
) {}

export const listResources = Answer.define({
  name: "health_resources",
  title: "List resources",
  description:
    "Lists the states of resources and who caused them, the worst first, and counts all by state. One that is not listed is not known to be available; health_why says more.",
  parameters: Selected,
  head: Counts,
  entry: State,
  read: Effect.fnUntraced(function* (call, { subscriptions, ...selection }) {
    const { pages } = yield* AvailabilityClient
    const { apiVersion = ApiVersion.defaultVersion } = call.options
    const names = UnknownNames.ofResources(selection)
    const readStatuses = Query.readEach(call, subscriptions, (subscription) =>
      Effect.map(
        Listing.collect(pages(Scope.subscription(subscription), { apiVersion }), (list) =>
          attempt(call, subscription, list),
        ),
        ({ invalid, items, problem }) => {
          const list = StatusChanges.distinct(items)
          return { list, invalid: invalid.length, valid: list.length, problem }
        },
      ),
    )
    const ids = (yield* call.scope.resolve(subscriptions)).slice(0, Query.maxSubscriptions)
    const readCauses = Picture.readEvents(
      { subscriptions: ids, withoutTenant: true, withoutEveryone: true },
      // The permits of the session limit them.
      { apiVersion, describe: messageOf, run: runIn(call), concurrency: "unbounded" },
    )
    const [{ outcomes, readings }, causes] = yield* Effect.all([readStatuses, readCauses], {
      concurrency: "unbounded",
    })
    const now = yield* DateTime.now
    const at = DateTime.toEpochMillis(now)
    const assess = Picture.assess({ ...causes, now: at })
    const all = readings.flatMap(({ list, subscription }) =>
      list.map((status) => ({ status, subscription, assessment: assess(status) })),
    )
    names.add(all.map(({ status }) => AvailabilityStatus.resourceId(status)))
    const matches = Selection.matches(selection)
    const found = Arr.sort(
      all.filter(({ assessment, status }) =>
        matches(AvailabilityStatus.resourceId(status), Assessment.label(assessment)),
      ),
      Order.mapInput(Assessment.order, ({ assessment }: (typeof all)[number]) => assessment),
    )
    const hints = [...call.scope.hints(subscriptions), ...names.sentences()]
    const gaps = gapsOf(causes, call)
    const from = DateTime.subtractDuration(now, Duration.days(Limits.activeDaysBack))
    const head = Head.make(call, { now, from, outcomes, hints: [...hints, ...gaps] })
    const status = head.status === "complete" && gaps.length > 0 ? ("partial" as const) : head.status
    const states = Object.fromEntries(Assessment.tally(all.map(({ assessment }) => assessment)).states)
    return {
      head: { ...head, status, ...(head.status === "unknown" ? {} : { total: found.length, states }) },
      entries: found.map(({ assessment, status, subscription }) => {
        const { context, occuredTime, reasonType, summary } = status.properties ?? {}
        const since = Time.ofService(occuredTime)
        const who = Assessment.who(assessment, at)
        const trackingId = Assessment.trackingId(assessment)
        return {
          state: assessment.state,
          ...(who === "" ? {} : { who }),
          ...(trackingId === undefined ? {} : { trackingId: quote.id(trackingId) }),
          ...(since === undefined ? {} : { since }),
          quotedReason: quote.names([reasonType ?? "", context ?? ""], 100).join(", "),
          quotedSummary: AvailabilityStatus.isAvailable(status) ? "" : quote.line(summary ?? "", 150),
          quotedId: quote.line(AvailabilityStatus.resourceId(status) ?? "", 300),
          subscription: call.scope.label(subscription),
        }
      }),
    }
  }),
})
