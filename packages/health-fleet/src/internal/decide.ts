/** Decides what a sink gets of a notification. One event is one thread over all subscriptions. */
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
  /** How many notifications there were. */
  count: Schema.Number,
  subscription: Schema.NullOr(Schema.String),
  updatedAt: Schema.NullOr(Schema.String),
  level: Level,
  isOpen: Schema.Boolean,
})

export type Last = typeof Last.Type

/** By the name of the sink. */
export const Sinks = Schema.Record({ key: Schema.String, value: Last })

export type Sinks = typeof Sinks.Type

/** What an event did before a notification. */
export interface History {
  readonly sinks: Sinks
  /** The states of notifications that are held back, by the name of the sink. The next notification replaces them. */
  readonly held: ReadonlyMap<string, ReadonlyArray<State>>
}

export interface Entry {
  readonly sink: string
  readonly notification: Notification
  /** Default: now. */
  readonly until: DateTime.Utc | undefined
}

export const isOpening = ({ state, status }: Notification): boolean =>
  !isClosing(state) && OpenEnum.find(Enumerations.EventStatus, status) !== "Resolved"

/** Other subscriptions list the same event, and a poll of them may be late. */
const isKnown = (last: Last, { id, state, status, subscription, updatedAt, ...rest }: Notification): boolean => {
  if (last.id === id) return true
  if (last.subscription === subscription) return false
  // No subscription has the event any more. The last one that had it may know an older version.
  if (state === "withdrawn") return !last.isOpen
  if (last.updatedAt === null || updatedAt === null) return false
  return updatedAt === last.updatedAt
    ? isOpening({ id, state, status, subscription, updatedAt, ...rest }) === last.isOpen
    : updatedAt < last.updatedAt
}

/** An event opens once. */
const stateFor = (last: Last | undefined, wasOpen: boolean, notification: Notification): State => {
  if (!isOpening(notification)) return notification.state
  if (wasOpen) return notification.state === "opened" ? "updated" : notification.state
  return last === undefined || last.isOpen ? "opened" : "reopened"
}

/** Returns the entries of the outbox. */
export const decide = (
  notification: Notification,
  { held, sinks }: History,
  {
    now,
    routes,
    targets,
  }: { readonly now: DateTime.Utc; readonly routes: Routes.Routes | undefined; readonly targets: ReadonlyArray<Sink> },
): ReadonlyArray<Entry> => {
  const wasOpen = (sink: string): boolean =>
    sinks[sink]?.isOpen === true && held.get(sink)?.some((state) => state === "opened" || state === "reopened") !== true
  const decisions: ReadonlyArray<Routes.Decision> =
    routes === undefined
      ? targets.map(({ name }) => ({ sink: name, action: "deliver" }))
      : Routes.sinksFor(routes, notification, now, (sink) => (wasOpen(sink) ? sinks[sink]?.level : undefined))
  return decisions.flatMap((decision) => {
    const { action, sink } = decision
    const last = sinks[sink]
    if (action === "skip" || (last !== undefined && isKnown(last, notification))) return []
    return {
      sink,
      // An event that disappears and returns unchanged has the same changes again. Receivers must not take them for repetitions.
      notification: {
        ...notification,
        id: `${notification.id}-${(last?.count ?? 0) + 1}`,
        state: stateFor(last, wasOpen(sink), notification),
      },
      until: action === "hold" ? decision.until : undefined,
    }
  })
}

/** The last notification of an event for a sink, after a notification. */
export const lastOf = (notification: Notification, before: Last | undefined): Last => ({
  id: notification.id,
  count: (before?.count ?? 0) + 1,
  subscription: notification.subscription,
  updatedAt: notification.updatedAt,
  level: notification.level,
  isOpen: isOpening(notification),
})
