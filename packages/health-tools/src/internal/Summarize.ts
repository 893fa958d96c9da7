/** The tool that answers whether anything is wrong, about resources and events together: `health_summary`. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Priority from "@vigil/health-schema/Priority"
import * as Labels from "@vigil/health-text/Labels"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Summary from "@vigil/health-verdict/Summary"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Head from "./Head.js"
import * as Lists from "./Lists.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"
import * as quote from "./quote.js"

const kinds: Readonly<Record<string, (event: HealthEvent.AnyEvent) => ReadonlyArray<string>>> = {
  type: (event) => [Row.typeOf(event)],
  level: (event) => [HealthEvent.knownLevel(event) ?? ""],
  service: Labels.services,
  region: Labels.regions,
}

/** Most active events first. */
const count = (events: ReadonlyArray<HealthEvent.AnyEvent>, by: string, namesOf: (typeof kinds)[string]) => {
  const counts = new Map<string, { active: number; resolved: number }>()
  for (const event of events)
    for (const name of new Set(namesOf(event).map(quote.name))) {
      const found = counts.get(name) ?? { active: 0, resolved: 0 }
      counts.set(name, found)
      found[Events.isActive(event) ? "active" : "resolved"] += 1
    }
  const rows = Array.from(counts, ([quotedName, numbers]) => ({ by, quotedName, ...numbers }))
  return Arr.sortWith(rows, ({ active, resolved }) => [active, resolved], Order.flip(Order.Array(Order.Number)))
}

const number = Schema.optionalKey(Schema.Finite)

/** Resources that have one cause. */
export class Cause extends Schema.Opaque<Cause>()(
  Schema.Struct({
    who: Schema.String,
    trackingId: Schema.optionalKey(Schema.String),
    count: Schema.Finite,
    /** The first of their IDs. */
    quotedIds: Schema.Array(Schema.String),
  }),
) {}

/** An event, and what an active issue concerns. */
export class Important extends Schema.Opaque<Important>()(
  Schema.Struct({
    ...Row.Row.fields,
    /** As of `Summary.Issue`. */
    reach: Schema.optionalKey(Schema.Literals(["hits", "may hit", "elsewhere"])),
    /** How many resources it names. */
    resources: number,
  }),
) {}

/** The answer, and how many events there are. */
export class Facts extends Schema.Opaque<Facts>()(
  Schema.Struct({
    /** As of `Summary.Summary`, of all resources and issues, whatever is selected. */
    verdict: Schema.Literals(["fine", "wrong", "unknown"]),
    /** How many resources have each state. */
    states: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
    /** Of the resources that do not work, or may be affected. */
    causes: Schema.Array(Cause),
    activeIssues: number,
    activeNotices: number,
    resolved: number,
    mostImportant: Schema.Array(Important),
  }),
) {}

/** How many events there are of a kind. */
export class Count extends Schema.Opaque<Count>()(
  Schema.Struct({ by: Schema.String, quotedName: Schema.String, active: Schema.Finite, resolved: Schema.Finite }),
) {}

const causeRow = ({ evidence, resources, who }: Summary.Cause): Cause => ({
  who: who || "unknown",
  ...(evidence?.trackingId === undefined ? {} : { trackingId: quote.id(evidence.trackingId) }),
  count: resources.length,
  quotedIds: resources.slice(0, 3).map(({ status }) => quote.line(AvailabilityStatus.resourceId(status) ?? "", 200)),
})

interface Found {
  readonly one: Row.JoinedEvent
  readonly issue: Summary.Issue | undefined
}

/** Those that hit first, then the most important. */
const importantFirst = Order.combine(
  Order.mapInput(Order.Number, ({ issue }: Found) => (issue?.reach === "hits" ? 0 : 1)),
  Order.mapInput(Priority.byImportance, ({ one }: Found) => one.event),
)

export const summarizeHealth = Answer.define({
  name: "health_summary",
  title: "Is anything wrong?",
  description:
    "Answers whether anything is wrong now: verdict of all, states and causes of resources, counts of active issues and notices, and the events that matter most.",
  parameters: Query.Query,
  head: Facts,
  entry: Count,
  read: Effect.fnUntraced(function* (call, query) {
    const now = yield* DateTime.now
    const { from, of, queryStartTime } = yield* Query.select(call, query, now)
    const scope = yield* Lists.scopeOf(call, query.subscriptions)
    const picture = Lists.distinct(
      yield* Picture.read(scope, {
        ...Lists.pictureOptionsOf(call),
        isBrief: true,
        // A verdict needs all events that are active.
        queryStartTime: Query.isBeforeDefault(query) ? queryStartTime : undefined,
      }),
    )
    const { found, hints } = of(picture.events)
    const outcomes = Lists.outcomesOf(scope, Query.validOf(picture.events))
    const head = Head.make(call, { now, from, outcomes, hints, ...Head.ofPicture(call, picture, "events") })
    const summary = Summary.make(picture)
    const issues = new Map(summary.issues.map((issue) => [HealthEvent.eventKey(issue.event) ?? issue.event, issue]))
    const events = found.map(({ event }) => event)
    const active = events.filter(Events.isActive)
    const activeNotices = active.filter(HealthEvent.isNotice).length
    const counts = {
      activeIssues: active.length - activeNotices,
      activeNotices,
      resolved: events.length - active.length,
    }
    const first = Arr.sort(
      found.map((one) => ({ one, issue: issues.get(HealthEvent.eventKey(one.event) ?? one.event) })),
      importantFirst,
    ).slice(0, 5)
    const facts = {
      ...head,
      verdict: summary.verdict,
      ...(picture.statuses.every(({ problem, statuses }) => problem !== undefined && statuses.length === 0)
        ? {}
        : { states: Object.fromEntries(Assessment.tally(summary.all).states) }),
      ...(head.status === "unknown" ? {} : counts),
    }
    const left = call.budget * 0.75 - quote.lengthOf(facts)
    const causes = quote.fitting(summary.causes.map(causeRow), left / 3)
    const mostImportant = first.map(({ issue, one }) => ({
      ...Row.make(one, call.scope),
      ...(issue === undefined ? {} : { reach: issue.reach, resources: issue.resources.length }),
    }))
    return {
      head: { ...facts, causes, mostImportant: quote.fitting(mostImportant, left - quote.lengthOf(causes)) },
      entries: Object.entries(kinds).flatMap(([by, namesOf]) => count(events, by, namesOf)),
    }
  }),
})
