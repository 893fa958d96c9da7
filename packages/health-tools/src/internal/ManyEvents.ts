/** The tools that list the events of subscriptions: `health_events` and `health_subscriptions`. */
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"
import * as quote from "./quote.js"

const number = Schema.optionalKey(Schema.Finite)

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
