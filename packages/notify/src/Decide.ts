/** Decides what a sink gets of the notifications of an event. Pure: a `Delivery` and a fleet do what it decides. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { isClosing, isOver, join, Level, Notification, type State } from "./Notification.js"
import type * as Routes from "./Routes.js"

/**
 * What a sink shows of an event. `unsure`: it may have missed that the event opened or ended. `unknown`: it has got no notification of the event.
 * @category schemas @since 0.2.0
 */
export const Shown = Schema.Literals(["open", "closed", "unsure", "unknown"])

/** @category models @since 0.2.0 */
export type Shown = typeof Shown.Type

/** The last notification of an event that a sink gets, or will get. @category schemas @since 0.2.0 */
export const Last = Schema.Struct({
  id: Schema.String,
  isOver: Schema.Boolean,
  level: Level,
  subscription: Schema.NullOr(Schema.String),
  updatedAt: Schema.NullOr(Schema.String),
})

/** What a sink knows of an event, without the notification that waits. @category models @since 0.2.0 */
export interface History {
  readonly shown: Shown
  /** Absent: there was none. */
  readonly last?: typeof Last.Type | undefined
}

/** The notification of an event that was not sent yet. Later ones are joined with it. @category schemas @since 0.2.0 */
export const Waiting = Schema.Struct({
  notification: Notification,
  /** When to deliver it, in milliseconds since 1970. */
  notBefore: Schema.Number,
})

/** @category models @since 0.2.0 */
export type Waiting = typeof Waiting.Type

/** What `decide` needs to know. @category models @since 0.2.0 */
export interface Situation {
  readonly history: History
  /** Default: none. */
  readonly waiting?: Waiting | undefined
  /** Whether another subscription has the event open. */
  readonly isOpenElsewhere: boolean
  /** Whether the watch of the subscription had no state, so that an end may be old. Default: `false`. */
  readonly isFirst?: boolean | undefined
}

/**
 * What to do with a notification. `send` and `join`: `waiting` waits from now on, as the only one. `drop`: what waits stays. `old`: the sink knows
 * it, or need not know it; `late`: another subscription has since opened or ended the event; `skipped`: no route selects the sink.
 * @category models @since 0.2.0
 */
export type Decision =
  | { readonly action: "send" | "join"; readonly last: typeof Last.Type; readonly waiting: Waiting }
  | { readonly action: "drop"; readonly reason: "old" | "late" | "skipped" }

/** The state of what is sent, except ends: of an event that is active, and of one that is over, such as a review. */
const states: Readonly<Record<Shown, { readonly active: State; readonly over: State }>> = {
  unknown: { active: "opened", over: "updated" },
  closed: { active: "reopened", over: "updated" },
  unsure: { active: "reopened", over: "resolved" },
  open: { active: "updated", over: "resolved" },
}

/**
 * Returns the notification with the state that it has for a sink: an event opens once, and an update opens or ends it if the sink may have missed
 * that.
 * @category conversions @since 0.2.0
 */
export const adapt = (shown: Shown, notification: Notification): Notification => {
  if (notification.state === "summary" || isClosing(notification.state)) return notification
  const state = states[shown][isOver(notification) ? "over" : "active"]
  return state === notification.state ? notification : { ...notification, state }
}

/** Returns what a sink shows after it has got an adapted notification. @category decisions @since 0.2.0 */
export const received = (notification: Notification): Shown => (isOver(notification) ? "closed" : "open")

/** Returns what a sink shows that will not accept an adapted notification: it may have got an earlier attempt. @category decisions @since 0.2.0 */
export const missed = (shown: Shown, { state }: Notification): Shown =>
  state === "updated" && shown !== "unknown" ? shown : "unsure"

const mayBeOpen = (shown: Shown): boolean => shown === "open" || shown === "unsure"

/** Returns the level at which a sink may show the event as open, the highest one if unknown; `undefined` if it does not. @category getters @since 0.2.0 */
export const openLevel = ({ last, shown }: History): Level | undefined =>
  mayBeOpen(shown) ? (last?.level ?? "Critical") : undefined

/** Other subscriptions list the same event, and a poll of them may be late. So may one of the same subscription whose watch had no state. */
const obsolete = (
  { history: { last }, isFirst }: Situation,
  notification: Notification,
): "old" | "late" | undefined => {
  const { id, state, subscription, updatedAt } = notification
  if (last?.id === id) return "old"
  // A withdrawal has the update time of the last list.
  if (state === "withdrawn" || last === undefined) return undefined
  if (last.subscription === subscription && isFirst !== true) return undefined
  if (updatedAt === null || last.updatedAt === null || updatedAt > last.updatedAt) return undefined
  if (last.isOver === isOver(notification)) return "old"
  return updatedAt < last.updatedAt ? "late" : undefined
}

/** Whether a sink need not know of an end: it does not show the event as open. */
const isNeedless = ({ isFirst, isOpenElsewhere }: Situation, shown: Shown, { state }: Notification): boolean => {
  // The event may have ended long before the first poll.
  if (state === "resolved") return isFirst === true && !mayBeOpen(shown)
  return state === "withdrawn" && (isOpenElsewhere || !mayBeOpen(shown))
}

const timeOf = (route: Routes.Decision, now: number): number => {
  if (route.action === "skip") return Infinity
  return route.action === "hold" ? DateTime.toEpochMillis(route.until) : now
}

/**
 * Decides what a sink gets of a notification. What waits counts as received. A notification that no route sends to the sink only ends what
 * waits. `now`: in milliseconds since 1970.
 * @category decisions @since 0.2.0
 */
export const decide = (
  situation: Situation,
  notification: Notification,
  route: Routes.Decision,
  now: number,
): Decision => {
  const { history, waiting } = situation
  const shown = waiting === undefined ? history.shown : received(waiting.notification)
  const reason = isNeedless(situation, shown, notification) ? "old" : obsolete(situation, notification)
  if (reason !== undefined) return { action: "drop", reason }
  const adapted = adapt(shown, notification)
  if (route.action === "skip" && !(waiting !== undefined && isClosing(adapted.state)))
    return { action: "drop", reason: "skipped" }
  const { id, level, subscription, updatedAt } = notification
  const last = { id, isOver: isOver(notification), level, subscription, updatedAt }
  const notBefore = timeOf(route, now)
  if (waiting === undefined) return { action: "send", last, waiting: { notification: adapted, notBefore } }
  return {
    action: "join",
    last,
    waiting: {
      notification: adapt(history.shown, join(waiting.notification, adapted)),
      notBefore: Math.min(waiting.notBefore, notBefore),
    },
  }
}
