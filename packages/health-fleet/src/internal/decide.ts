/** Decides what a sink gets of a notification. An event has one history over all subscriptions. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import { isClosing, Level, type Notification, type State } from "@vigil/notify/Notification"
import * as Routes from "@vigil/notify/Routes"
import type { Sink } from "@vigil/notify/Sink"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

/** The last notification of an event for a sink. */
const Last = Schema.Struct({
  id: Schema.String,
  /** How many notifications the sink has got or will get. */
  count: Schema.Number,
  subscription: Schema.NullOr(Schema.String),
  updatedAt: Schema.NullOr(Schema.String),
  level: Level,
  isOpen: Schema.Boolean,
})

type Last = typeof Last.Type

/** By the name of the sink. */
export const Sinks = Schema.Record({ key: Schema.String, value: Last })

export type Sinks = typeof Sinks.Type

/** What an event did before a notification. */
export interface History {
  readonly sinks: Sinks
  /** The states of notifications that are on hold, by the name of the sink. The next notification replaces them. */
  readonly onHold: ReadonlyMap<string, ReadonlyArray<State>>
}

export interface Settings {
  readonly routes: Routes.Routes | undefined
  readonly sinks: ReadonlyArray<Sink>
}

export interface Decision {
  readonly sink: string
  /** The last notification from now on. */
  readonly last: Last
  /** What to deliver. Default: nothing, but what is on hold is dropped. */
  readonly notification: Notification | undefined
  /** Default: now. */
  readonly until: DateTime.Utc | undefined
}

export const isOpening = ({ state, status }: Notification): boolean =>
  !isClosing(state) && OpenEnum.find(Enumerations.EventStatus, status) !== "Resolved"

/** Other subscriptions list the same event, and a poll of them may be late. So does this one, if its state was empty. */
const isKnown = (last: Last, notification: Notification, isFirst: boolean): boolean => {
  const { id, state, subscription, updatedAt } = notification
  if (last.id === id) return true
  // The update time of an event that is no longer listed says nothing about the time of its withdrawal.
  if (state === "withdrawn") return !last.isOpen
  if (!isFirst && last.subscription === subscription) return false
  if (last.updatedAt === null || updatedAt === null) return false
  return updatedAt === last.updatedAt ? isOpening(notification) === last.isOpen : updatedAt < last.updatedAt
}

/** An event opens once. */
const stateFor = (last: Last | undefined, wasOpen: boolean, notification: Notification): State => {
  if (!isOpening(notification)) return notification.state
  if (wasOpen) return notification.state === "opened" ? "updated" : notification.state
  return last === undefined || last.isOpen ? "opened" : "reopened"
}

/** `isFirst`: the state was empty, so that a resolved event may have ended long ago. */
export const decide = (
  notification: Notification,
  { onHold, sinks: histories }: History,
  { isFirst, now, routes, sinks }: Settings & { readonly isFirst: boolean; readonly now: DateTime.Utc },
): ReadonlyArray<Decision> => {
  const opensOnHold = (sink: string): boolean =>
    onHold.get(sink)?.some((state) => state === "opened" || state === "reopened") === true
  const wasOpen = (sink: string): boolean => histories[sink]?.isOpen === true && !opensOnHold(sink)
  const decisions: ReadonlyArray<Routes.Decision> =
    routes === undefined
      ? sinks.map(({ name }) => ({ sink: name, action: "deliver" }))
      : Routes.sinksFor(routes, notification, now, (sink) => (wasOpen(sink) ? histories[sink]?.level : undefined))
  return decisions.flatMap((decision): ReadonlyArray<Decision> => {
    const { action, sink } = decision
    const before = histories[sink]
    if (before !== undefined && isKnown(before, notification, isFirst)) return []
    if (isFirst && notification.state === "resolved" && before?.isOpen !== true) return []
    const isDropped = action === "skip" && isClosing(notification.state) && opensOnHold(sink)
    if (action === "skip" && !isDropped) return []
    // Those on hold are not sent: this one replaces them.
    const sent = (before?.count ?? 0) - (onHold.get(sink)?.length ?? 0)
    const count = isDropped ? sent : sent + 1
    const { id, level, subscription, updatedAt } = notification
    return [
      {
        sink,
        last: { id, count, subscription, updatedAt, level, isOpen: isOpening(notification) },
        notification: isDropped
          ? undefined
          : // An event that disappears and returns unchanged has the same changes again, which are not repetitions.
            { ...notification, id: `${id}-${count}`, state: stateFor(before, wasOpen(sink), notification) },
        until: action === "hold" ? decision.until : undefined,
      },
    ]
  })
}
