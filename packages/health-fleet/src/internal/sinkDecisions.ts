/** Decides what each sink gets of a notification. An event has one history over all subscriptions. */
import * as Decide from "@vigil/notify/Decide"
import type * as Delivery from "@vigil/notify/Delivery"
import type { Notification } from "@vigil/notify/Notification"
import * as Routes from "@vigil/notify/Routes"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

const History = Schema.Struct({
  /** How many notifications the sink has got or will get. */
  count: Schema.Number,
  /** What the sink shows after everything in the outbox. */
  shown: Decide.Shown,
  last: Decide.Last,
})

/** By the name of the sink. */
export const Histories = Schema.Record(Schema.String, History)

/** A notification in the outbox that was not sent yet. */
export interface Waiting extends Decide.Waiting {
  /** What the sink shows before it. */
  readonly shown: Decide.Shown
}

/** What each sink got and will get of an event before a notification, by the name of the sink. */
export interface Event {
  readonly histories: ReadonlyMap<string, typeof History.Type>
  readonly waiting: ReadonlyMap<string, Waiting>
}

export interface Settings extends Pick<Delivery.Options, "routes" | "sinks"> {}

interface Poll extends Settings, Pick<Decide.Situation, "isFirst" | "isOpenElsewhere"> {
  readonly now: DateTime.Utc
}

export type Decision = ReturnType<typeof decideForSinks>[number]

/** Returns the notifications that wait from now on, and the histories after them, by sink. */
export const decideForSinks = (
  notification: Notification,
  { histories, waiting }: Event,
  { isFirst, isOpenElsewhere, now, routes, sinks }: Poll,
) => {
  const historyOf = (sink: string): Decide.History => ({
    last: histories.get(sink)?.last,
    shown: waiting.get(sink)?.shown ?? histories.get(sink)?.shown ?? "unknown",
  })
  const all: ReadonlyArray<Routes.Decision> =
    routes === undefined
      ? sinks.map(({ name }) => ({ sink: name, action: "deliver" }))
      : Routes.sinksFor(routes, notification, now, (sink) => Decide.openLevel(historyOf(sink)))
  return all.flatMap((route) => {
    const { sink } = route
    const history = historyOf(sink)
    const situation = { history, waiting: waiting.get(sink), isOpenElsewhere, isFirst }
    const decision = Decide.decide(situation, notification, route, DateTime.toEpochMillis(now))
    if (decision.action === "drop") return []
    const { last, waiting: next } = decision
    const count = (histories.get(sink)?.count ?? 0) + (decision.action === "send" ? 1 : 0)
    // An event that disappears and returns unchanged has the same changes again, which are not repetitions.
    const numbered = { ...next.notification, id: `${notification.id}-${count}` }
    const shown = Decide.received(numbered)
    return [
      { sink, history: { count, shown, last }, waiting: { ...next, notification: numbered, shown: history.shown } },
    ]
  })
}
