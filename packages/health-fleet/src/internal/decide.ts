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

export type Sinks = typeof Sinks.Type

/** What an event did before a notification. */
export interface History {
  readonly sinks: Sinks
  /** The notifications on hold, by the name of the sink. The next notification of the event replaces them. */
  readonly onHold: ReadonlyMap<string, HeldNotification>
}

/** A notification on hold. */
export interface HeldNotification {
  readonly notification: Notification.Notification
  readonly until: DateTime.Utc
}

/** One notification for two on hold. It does not wait longer than the first. */
export const join = (earlier: HeldNotification | undefined, later: HeldNotification): HeldNotification =>
  earlier === undefined
    ? later
    : {
        notification: Notification.join(earlier.notification, later.notification),
        until: DateTime.min(earlier.until, later.until),
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
  readonly notification: Notification.Notification | undefined
  /** Default: now. */
  readonly until: DateTime.Utc | undefined
}

/** Other subscriptions list the same event, and a poll of them may be late. So does this one, if its state was empty. */
const isKnown = (last: Last, notification: Notification.Notification, isFirst: boolean): boolean => {
  const { id, state, subscription, updatedAt } = notification
  if (last.id === id) return true
  // A withdrawal has the update time of the last list, which is not the time of the withdrawal.
  if (state === "withdrawn") return !last.isOpen
  if (!isFirst && last.subscription === subscription) return false
  if (last.updatedAt === null || updatedAt === null) return false
  return updatedAt === last.updatedAt ? Notification.isOver(notification) !== last.isOpen : updatedAt < last.updatedAt
}

const isOpening = (state: Notification.State | undefined): boolean => state === "opened" || state === "reopened"

/** An event opens once. `sentCount`: how many notifications of the event the sink has got. */
const stateFor = (
  notification: Notification.Notification,
  onHold: HeldNotification | undefined,
  sentCount: number,
  isOpen: boolean,
): Notification.State => {
  if (Notification.isOver(notification)) return notification.state
  if (onHold !== undefined && isOpening(onHold.notification.state)) return onHold.notification.state
  if (isOpen) return "updated"
  return sentCount === 0 ? "opened" : "reopened"
}

/** `isFirst`: the state was empty, so a resolved event may have ended long ago. */
export const decide = (
  notification: Notification.Notification,
  { onHold, sinks: histories }: History,
  { isFirst, now, routes, sinks }: Settings & { readonly isFirst: boolean; readonly now: DateTime.Utc },
): ReadonlyArray<Decision> => {
  const opensOnHold = (sink: string): boolean => isOpening(onHold.get(sink)?.notification.state)
  // A sink may have the name of a property of all objects, such as `constructor`.
  const lastOf = (sink: string) => (Object.hasOwn(histories, sink) ? histories[sink] : undefined)
  const openLevel = (sink: string) => {
    const last = lastOf(sink)
    return last?.isOpen === true && !opensOnHold(sink) ? last.level : undefined
  }
  const decisions: ReadonlyArray<Routes.Decision> =
    routes === undefined
      ? sinks.map(({ name }) => ({ sink: name, action: "deliver" }))
      : Routes.sinksFor(routes, notification, now, openLevel)
  return decisions.flatMap((decision): ReadonlyArray<Decision> => {
    const { action, sink } = decision
    const before = lastOf(sink)
    const earlier = onHold.get(sink)
    if (before !== undefined && isKnown(before, notification, isFirst)) return []
    if (isFirst && notification.state === "resolved" && before?.isOpen !== true) return []
    // The sink does not know an event that was over when it was first seen.
    if (notification.state === "withdrawn" && before === undefined) return []
    const isDropped = action === "skip" && Notification.isClosing(notification.state) && opensOnHold(sink)
    if (action === "skip" && !isDropped) return []
    // The one on hold is not sent: this one replaces it.
    const sentCount = (before?.count ?? 0) - (earlier === undefined ? 0 : 1)
    const count = isDropped ? sentCount : sentCount + 1
    const { id, level, subscription, updatedAt } = notification
    const next = {
      // An event that disappears and returns unchanged has the same changes again, which are not repetitions.
      notification: {
        ...notification,
        id: `${id}-${count}`,
        state: stateFor(notification, earlier, sentCount, before?.isOpen === true),
      },
      until: action === "hold" ? decision.until : now,
    }
    const joined = join(earlier, next)
    return [
      {
        sink,
        last: { id, count, subscription, updatedAt, level, isOpen: !Notification.isOver(notification) },
        notification: isDropped ? undefined : joined.notification,
        until: action === "hold" ? joined.until : undefined,
      },
    ]
  })
}
