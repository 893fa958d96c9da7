/** The tools that read the events of subscriptions: `health_summary`, `health_events` and `health_subscriptions`. */
import * as Labels from "@vigil/health-text/Labels"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Priority from "@vigil/health-schema/Priority"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
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

export class Summary extends Schema.Opaque<Summary>()(
  Schema.Struct({
    activeIssues: number,
    activeNotices: number,
    resolved: number,
    mostImportant: Schema.Array(Row.Row),
  }),
) {}

export class Count extends Schema.Opaque<Count>()(
  Schema.Struct({ by: Schema.String, quotedName: Schema.String, active: Schema.Finite, resolved: Schema.Finite }),
) {}

export const summarizeHealth = Answer.define({
  name: "health_summary",
  title: "Is anything wrong?",
  description:
    "Answers whether anything is wrong now: the number of active issues and of active notices (maintenance, advisories, reviews, billing), the events that matter most, and counts.",
  parameters: Query.Query,
  head: Summary,
  entry: Count,
  read: Effect.fnUntraced(function* (call, query) {
    const { found, head } = yield* Query.read(call, query)
    const events = found.map(({ event }) => event)
    const active = events.filter(Events.isActive)
    const activeNotices = active.filter(HealthEvent.isNotice).length
    const counts = {
      activeIssues: active.length - activeNotices,
      activeNotices,
      resolved: events.length - active.length,
    }
    const first = Arr.sortWith(found, ({ event }) => event, Priority.byImportance).slice(0, 5)
    const mostImportant = first.map((one) => Row.make(one, call.scope))
    return {
      head: {
        ...head,
        ...(head.status === "unknown" ? {} : counts),
        mostImportant: quote.fitting(mostImportant, call.budget / 3),
      },
      entries: Object.entries(kinds).flatMap(([by, namesOf]) => count(events, by, namesOf)),
    }
  }),
})

interface WithEvent {
  readonly event: HealthEvent.AnyEvent
}

const latestUpdate = Order.mapInput(Timestamp.latestFirst, ({ event }: WithEvent) => event.properties?.lastUpdateTime)

const earliestStart = Order.flip(
  Order.mapInput(Timestamp.latestFirst, ({ event }: WithEvent) => event.properties?.impactStartTime),
)

export const listEvents = Answer.define({
  name: "health_events",
  title: "List events",
  description:
    "Lists health events, latest update first; with from or to, earliest start first. For what is planned next week: type PlannedMaintenance with from and to.",
  parameters: Query.InPeriod,
  head: Schema.Struct({ total: number }),
  entry: Row.Row,
  read: Effect.fnUntraced(function* (call, query) {
    const { found, head } = yield* Query.read(call, query)
    const hasPeriod = query.from !== undefined || query.to !== undefined
    const sorted = Arr.sort(found, hasPeriod ? earliestStart : latestUpdate)
    return {
      head: { ...head, ...(head.status === "unknown" ? {} : { total: found.length }) },
      entries: sorted.map((one) => Row.make(one, call.scope)),
    }
  }),
})

export class Subscription extends Schema.Opaque<Subscription>()(
  Schema.Struct({
    id: Schema.String,
    name: Schema.optionalKey(Schema.String),
    active: number,
    quotedReason: Schema.optionalKey(Schema.String),
  }),
) {}

export const listSubscriptions = Answer.define({
  name: "health_subscriptions",
  title: "List subscriptions",
  description: "Lists the known subscriptions by name and ID, with their active events, or why they cannot be read.",
  parameters: Schema.Struct({}),
  head: Schema.Struct({}),
  entry: Subscription,
  read: Effect.fnUntraced(function* (call) {
    const { all, named } = call.scope
    const { head, outcomes, picture } = yield* Query.read(call, { subscriptions: all })
    const lists = new Map(picture.events.map(({ events, subject }) => [subject, events]))
    return {
      head,
      entries: outcomes.map(({ problem, subscription }) => ({
        ...named(subscription),
        ...(problem === undefined
          ? { active: lists.get(subscription)?.filter(Events.isActive).length ?? 0 }
          : { quotedReason: quote.problem(problem, 300) }),
      })),
    }
  }),
})
