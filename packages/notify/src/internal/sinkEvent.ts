/** What a sink knows of one event, and the notifications of the event that wait for it: the current one and the next one. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"
import { isClosing, isOver, join, Level, Notification, type State } from "../Notification.js"

/** `notBefore`: when to deliver it, in milliseconds since 1970. */
const Pending = Schema.Struct({ notification: Notification, notBefore: Schema.Number })

type Pending = typeof Pending.Type

/** The stored part. It is enough to continue after a kill at any point. */
export const Stored = Schema.Struct({
  key: Schema.String,
  /** Whether the sink shows the event as open. `null`: it may have missed a notification. Absent: it does not know the event. */
  isOpen: Schema.optional(Schema.NullOr(Schema.Boolean)),
  /** The last notifications with the same version of the event: several subscriptions report it with different texts. */
  last: Schema.optional(
    Schema.Struct({
      version: Schema.Number,
      isOver: Schema.Boolean,
      ids: Schema.Array(Schema.String),
      subscription: Schema.NullOr(Schema.String),
      updatedAt: Schema.NullOr(Schema.String),
    }),
  ),
  /** The subscriptions that have the event open and whose notifications the sink gets, and the level of the last of these notifications. */
  openIn: Schema.Array(Schema.String),
  level: Schema.optional(Level),
  /** What to repeat while the event is open, and when the sink accepted it, in milliseconds since 1970. */
  accepted: Schema.optional(Schema.Struct({ notification: Notification, at: Schema.Number })),
  /** The notification that the sink may have: it is sent again unchanged. */
  current: Schema.optional(Notification),
  /** The notification that was not sent. Later ones are joined with it. */
  next: Schema.optional(Pending),
  /** Whether the next one is an opening that may become a part of a summary. */
  joins: Schema.optional(Schema.Boolean),
  /** The key of the summary that contains the current one. The summary waits like an event. */
  summary: Schema.optional(Schema.String),
})

export interface SinkEvent extends Schema.Schema.Type<typeof Stored> {
  readonly failures?: number | undefined
  /** Not before this time, in milliseconds since 1970. Infinite while the current notification is sent. */
  readonly retryAt?: number | undefined
}

export const make = (key: string): SinkEvent => ({ key, openIn: [] })

/** The notifications that wait, in their order. */
export const notifications = ({ current, next }: SinkEvent): ReadonlyArray<Notification> =>
  [current, next?.notification].filter((notification) => notification !== undefined)

export const isWaiting = ({ current, next }: SinkEvent): boolean => (current ?? next) !== undefined

export const isSending = ({ retryAt }: SinkEvent): boolean => retryAt === Infinity

/** How many repeated notifications of an event a sink recognizes. */
const maxIds = 10

/** Differs if the event has changed. */
const versionOf = ({ endedAt, level, regions, services, startedAt, status, title, type, updatedAt }: Notification) =>
  Hash.string(JSON.stringify([level, type, status, title, startedAt, updatedAt, endedAt, services, regions]))

export const isOpening = ({ state }: Notification): boolean => state === "opened" || state === "reopened"

/** Whether a sink shows an event as open after a notification. */
export const isOpenAfter = (wasOpen: SinkEvent["isOpen"], notification: Notification): boolean =>
  (notification.state === "updated" ? wasOpen : undefined) ?? !isOver(notification)

/** What a notification means to a sink: an event opens once, and an update may open or close it if the sink has missed that. */
const stateFor = (isOpen: SinkEvent["isOpen"], notification: Notification): State => {
  const { state, status } = notification
  if (state === "summary") return state
  if (isOpen === undefined) return isOver(notification) ? state : "opened"
  if (state === "opened" || state === "reopened") return isOpen === true ? "updated" : "reopened"
  if (state !== "updated") return state
  if (HealthEvent.isResolvedStatus(status)) return isOpen === false ? state : "resolved"
  return isOpen === true ? state : "reopened"
}

const adapt = (isOpen: SinkEvent["isOpen"], notification: Notification): Notification => {
  const state = stateFor(isOpen, notification)
  return state === notification.state ? notification : { ...notification, state }
}

/** Whether the sink shows the event as open, if it has what was sent. */
export const isOpenNow = ({ current, isOpen }: SinkEvent): SinkEvent["isOpen"] =>
  current === undefined ? isOpen : isOpenAfter(isOpen, current)

/** Joins a notification with the one that waits. */
const add = (event: SinkEvent, { notBefore, notification }: Pending): SinkEvent => {
  const { next } = event
  const isOpen = isOpenNow(event)
  if (next === undefined) return { ...event, next: { notBefore, notification: adapt(isOpen, notification) } }
  const later = adapt(isOpenAfter(isOpen, next.notification), notification)
  return {
    ...event,
    next: {
      notBefore: Math.min(next.notBefore, notBefore),
      notification: adapt(isOpen, join(next.notification, later)),
    },
  }
}

/** Makes the next notification the current one. What the sink shows may have changed since it was added, by a dead letter. */
export const promote = (event: SinkEvent, notification: Notification): SinkEvent => ({
  ...event,
  current: adapt(event.isOpen, notification),
  next: undefined,
})

/**
 * Sends the current notification again unchanged, because it may have arrived. But a due next one replaces an update, and a resolution or
 * withdrawal replaces anything.
 */
export const begin = (event: SinkEvent, now: number): SinkEvent => {
  const { current, next } = event
  const sending = { ...event, retryAt: Infinity }
  if (next === undefined || next.notBefore > now) return sending
  const { notification } = next
  const isReplaced = current === undefined || current.state === "updated" || isClosing(notification.state)
  if (!isReplaced) return sending
  return promote(sending, current === undefined ? notification : join(current, notification))
}

/** Removes the current notification: the sink has it, or will never get it. */
export const advance = (event: SinkEvent, fields: Pick<SinkEvent, "accepted" | "isOpen">): SinkEvent => {
  const { key, last, level, next, openIn } = event
  return { key, last, level, openIn, next, ...fields }
}

/** Whether a poll of this subscription was late: another one has since ended or opened the event. */
const isLate = ({ last }: SinkEvent, notification: Notification): boolean => {
  const { state, subscription, updatedAt } = notification
  // A withdrawal has the update time of the last list.
  if (last === undefined || state === "withdrawn" || last.subscription === subscription) return false
  if (last.isOver === isOver(notification)) return false
  return updatedAt !== null && last.updatedAt !== null && updatedAt < last.updatedAt
}

/** Records in which subscriptions an event is open. Its status is the same in all of them, so that a resolution ends it in all. */
const track = (event: SinkEvent, notification: Notification, isRouted: boolean): SinkEvent => {
  const own = notification.subscription ?? ""
  const others = event.openIn.filter((other) => other !== own)
  const open = isRouted ? [...others, own] : event.openIn
  const openIn = notification.state === "withdrawn" ? others : isOpenAfter(undefined, notification) ? open : []
  const level = isRouted ? notification.level : (event.level ?? notification.level)
  const isSame = openIn.length === event.openIn.length && (openIn.length === 0 || level === event.level)
  return isSame ? event : { ...event, openIn, level }
}

/**
 * Adds a notification, unless it is repeated while its event is the same, or is a withdrawal from one of several subscriptions. Without a time,
 * it is added only if it ends what waits and was not sent yet. Returns the same object if nothing changes.
 */
export const accept = (before: SinkEvent, notification: Notification, notBefore: number | undefined): SinkEvent => {
  if (isLate(before, notification)) return before
  const event = track(before, notification, notBefore !== undefined)
  const { id, state, subscription, updatedAt } = notification
  if (state === "withdrawn" && event.openIn.length > 0) return event
  const own = { version: versionOf(notification), isOver: isOver(notification), ids: [], subscription, updatedAt }
  // A subscription may stop listing the event before it listed the last version.
  const isSame = event.last?.isOver === own.isOver && (event.last.version === own.version || state === "withdrawn")
  const last = isSame && event.last !== undefined ? event.last : own
  const isIgnored = notBefore === undefined && !(event.next !== undefined && isClosing(state))
  if (isIgnored || last.ids.some((known) => known === id)) return event
  return add(
    { ...event, last: { ...last, ids: [...last.ids, id].slice(-maxIds) } },
    { notification, notBefore: notBefore ?? Infinity },
  )
}
