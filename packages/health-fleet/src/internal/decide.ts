/** Decides what a sink gets of a notification. An event has one history over all subscriptions. */
import * as Notification from "@vigil/notify/Notification"
import * as Routes from "@vigil/notify/Routes"
import type { Sink } from "@vigil/notify/Sink"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

/** The last notification of an event for a sink. */
const Last = Schema.Struct({
  id: Schema.String,
  /** How many notifications the sink has got or will get. */
  count: Schema.Number,
  subscription: Schema.NullOr(Schema.String),
  updatedAt: Schema.NullOr(Schema.String),
  level: Notification.Level,
  isOpen: Schema.Boolean,
})

type Last = typeof Last.Type

/** By the name of the sink. */
export const Sinks = Schema.Record(Schema.String, Last)

/** A notification on hold. The next notification of the event replaces it. */
export interface Held {
  readonly notification: Notification.Notification
  readonly until: DateTime.Utc
}

/** What an event did before a notification. */
export interface History {
  readonly sinks: typeof Sinks.Type
  /** By the name of the sink. */
  readonly onHold: ReadonlyMap<string, Held>
}

export interface Settings {
  readonly routes: Routes.Routes | undefined
  readonly sinks: ReadonlyArray<Sink>
}

export interface Decision {
  readonly sink: string
  /** The last notification from now on. */
  readonly last: Last
  /** What to deliver, and when; by default at once. Without it, what is on hold is dropped. */
  readonly next?: { readonly notification: Notification.Notification; readonly until: DateTime.Utc | undefined }
}

/** Whether a sink knows a notification, or need not know it. `isFirst`: the state was empty. */
const isOld = (last: Last | undefined, notification: Notification.Notification, isFirst: boolean): boolean => {
  const { id, state, subscription, updatedAt } = notification
  // It may have ended long ago.
  if (isFirst && state === "resolved" && last?.isOpen !== true) return true
  // The event was over when it was first seen.
  if (last === undefined) return state === "withdrawn"
  if (last.id === id) return true
  // A withdrawal has the update time of the last list, which is not the time of the withdrawal.
  if (state === "withdrawn") return !last.isOpen
  // Other subscriptions list the same event, and a poll of them may be late. So does this one, if its state was empty.
  if (!isFirst && last.subscription === subscription) return false
  if (last.updatedAt === null || updatedAt === null) return false
  return updatedAt === last.updatedAt ? Notification.isOver(notification) !== last.isOpen : updatedAt < last.updatedAt
}

const isOpening = (held: Held | undefined): boolean =>
  held?.notification.state === "opened" || held?.notification.state === "reopened"

export const decide = (
  notification: Notification.Notification,
  { onHold, sinks: histories }: History,
  { isFirst, now, routes, sinks }: Settings & { readonly isFirst: boolean; readonly now: DateTime.Utc },
): ReadonlyArray<Decision> => {
  // A sink may have the name of a property of all objects, such as `constructor`.
  const lastOf = (sink: string) => (Object.hasOwn(histories, sink) ? histories[sink] : undefined)
  const openLevel = (sink: string) => {
    const last = lastOf(sink)
    return last?.isOpen === true && !isOpening(onHold.get(sink)) ? last.level : undefined
  }
  const decisions: ReadonlyArray<Routes.Decision> =
    routes === undefined
      ? sinks.map(({ name }) => ({ sink: name, action: "deliver" }))
      : Routes.sinksFor(routes, notification, now, openLevel)
  return decisions.flatMap((decision): ReadonlyArray<Decision> => {
    const { action, sink } = decision
    const [before, held] = [lastOf(sink), onHold.get(sink)]
    if (isOld(before, notification, isFirst)) return []
    if (action === "skip" && !(Notification.isClosing(notification.state) && isOpening(held))) return []
    // The one on hold is not sent: this one replaces it.
    const sentCount = (before?.count ?? 0) - (held === undefined ? 0 : 1)
    const count = action === "skip" ? sentCount : sentCount + 1
    const { id, level, subscription, updatedAt } = notification
    const isOpen = !Notification.isOver(notification)
    const last = { id, count, subscription, updatedAt, level, isOpen }
    if (action === "skip") return [{ sink, last }]
    // An event opens once.
    const opening = sentCount === 0 ? "opened" : "reopened"
    const stateIfOpen = isOpening(held) ? held?.notification.state : before?.isOpen === true ? "updated" : opening
    const state = (isOpen ? stateIfOpen : undefined) ?? notification.state
    // An event that disappears and returns unchanged has the same changes again, which are not repetitions.
    const next = { ...notification, id: `${id}-${count}`, state }
    const joined = held === undefined ? next : Notification.join(held.notification, next)
    // It does not wait longer than the one on hold.
    const until = action === "hold" ? DateTime.min(held?.until ?? decision.until, decision.until) : undefined
    return [{ sink, last, next: { notification: joined, until } }]
  })
}
