/** The tool that reads the states of the resources of subscriptions: `health_resources`. */
import * as Selection from "@vigil/health-client/Selection"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Limits from "@vigil/health-schema/Limits"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Head from "./Head.js"
import * as Lists from "./Lists.js"
import * as Query from "./Query.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const number = Schema.optionalKey(Schema.Finite)

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
    const names = UnknownNames.ofResources(selection)
    const scope = yield* Lists.scopeOf(call, subscriptions)
    const picture = yield* Picture.read(scope, Lists.pictureOptionsOf(call))
    const at = picture.now
    const now = DateTime.makeUnsafe(at)
    const assess = Picture.assess(picture)
    const all = picture.statuses.flatMap(({ statuses, subject }) =>
      statuses.map((status) => ({ status, subscription: subject, assessment: assess(status) })),
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
    const outcomes = Lists.outcomesOf(
      scope,
      picture.statuses.map((list) => ({ ...list, valid: list.statuses.length })),
    )
    const from = DateTime.subtractDuration(now, Duration.days(Limits.activeDaysBack))
    const head = Head.make(call, { now, from, outcomes, hints, ...Head.ofPicture(call, picture, "statuses") })
    const states = Object.fromEntries(Assessment.tally(all.map(({ assessment }) => assessment)).states)
    return {
      head: { ...head, ...(head.status === "unknown" ? {} : { total: found.length, states }) },
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
