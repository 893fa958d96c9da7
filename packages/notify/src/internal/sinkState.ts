/** The state of a sink: its events with what waits for it, and its dead letters. Only its queue changes it, by transitions. */
import * as Schema from "effect/Schema"
import { DeadLetter } from "../DeadLetter.js"
import * as Decide from "../Decide.js"
import { isOver, type Level, Notification } from "../Notification.js"

/** What is stored of an event. It is enough to continue after a kill at any point. */
const StoredEvent = Schema.Struct({
  key: Schema.String,
  /** What the sink shows of the event without the current notification, which it may have. */
  shown: Decide.Shown,
  last: Schema.optional(Decide.Last),
  /** The subscriptions that have the event open and whose notifications the sink gets. */
  openIn: Schema.Array(Schema.String),
  /** What to repeat while the event is open, and when the sink accepted it, in milliseconds since 1970. */
  accepted: Schema.optional(Schema.Struct({ notification: Notification, at: Schema.Number })),
  /** The notification that the sink may have: it is sent again unchanged. */
  current: Schema.optional(Notification),
  /** The notification that was not sent. Later ones are joined with it. */
  next: Schema.optional(Decide.Waiting),
  /** Whether the next one is an opening that may become a part of a summary. */
  joins: Schema.optional(Schema.Boolean),
  /** The key of the summary that contains the current one. The summary waits like an event. */
  summary: Schema.optional(Schema.String),
})

/** What a sink knows of one event, and the notifications of the event that wait for it: the current one and the next one. */
export interface SinkEvent extends Schema.Schema.Type<typeof StoredEvent> {
  readonly failures?: number | undefined
  /** Not before this time, in milliseconds since 1970. Infinite while the current notification is sent. */
  readonly retryAt?: number | undefined
}

/** Openings are joined until this time. */
const Window = Schema.Struct({ until: Schema.Number, latest: Schema.Number })

/** Times are in milliseconds since 1970. */
const fields = {
  /** Names a text, so that later changes can be stored apart. */
  id: Schema.optional(Schema.String),
  savedAt: Schema.optional(Schema.Number),
  /** Whether no opening was sent to the sink yet, so that the first ones are joined. */
  isNew: Schema.Boolean,
  window: Schema.NullOr(Window),
  events: Schema.Array(StoredEvent),
}

export const Stored = Schema.Struct({
  delivery: Schema.Literal(4),
  ...fields,
  deadLetters: Schema.Array(DeadLetter),
})

/** What changed since a text was stored. `deadLetters`: absent if they are the same. */
export const Changes = Schema.Struct({
  ...fields,
  removed: Schema.Array(Schema.String),
  deadLetters: Schema.optional(Schema.Array(DeadLetter)),
})

export const apply = (
  stored: typeof Stored.Type,
  { deadLetters, events, isNew, removed, savedAt, window }: typeof Changes.Type,
): typeof Stored.Type => {
  const all = new Map(stored.events.map((event) => [event.key, event]))
  for (const key of [...removed, ...events.map(({ key }) => key)]) all.delete(key)
  for (const event of events) all.set(event.key, event)
  return {
    ...stored,
    isNew,
    savedAt,
    window,
    events: [...all.values()],
    deadLetters: deadLetters ?? stored.deadLetters,
  }
}

export const none: typeof Stored.Type = { delivery: 4, isNew: true, window: null, events: [], deadLetters: [] }

export interface State {
  readonly sink: string
  /** In milliseconds. Infinite: never. */
  readonly repeatEvery: number
  /** Whether the target keeps the state of events. Otherwise, several openings may be one message. */
  readonly keepsEvents: boolean
  isNew: boolean
  window: typeof Window.Type | null
  /** By key. Those that changed last are last. */
  readonly events: Map<string, SinkEvent>
  /** The oldest first. */
  deadLetters: ReadonlyArray<DeadLetter>
  /** How many notifications became dead letters. */
  deadLettered: number
  /** The key of the event whose last notification is sent again now. */
  repeating: string | undefined
  /** Grows when what is stored changes. */
  revision: number
}

export const makeEvent = (key: string): SinkEvent => ({ key, shown: "unknown", openIn: [] })

/** The notifications that wait, in their order. */
export const notifications = ({ current, next }: SinkEvent): ReadonlyArray<Notification> =>
  [current, next?.notification].filter((notification) => notification !== undefined)

export const isWaiting = ({ current, next }: SinkEvent): boolean => (current ?? next) !== undefined

const isSending = ({ retryAt }: SinkEvent): boolean => retryAt === Infinity

/** What the sink knows of an event, if it has the current notification. */
export const historyOf = ({ current, last, shown }: SinkEvent): Decide.History => ({
  last,
  shown: current === undefined ? shown : Decide.received(current),
})

/**
 * The subscriptions that have an event open after a notification. Its status is the same in all of them, so that a resolution ends it in all,
 * unless it is late.
 */
export const openAfter = (
  { openIn }: SinkEvent,
  notification: Notification,
  isRouted: boolean,
  isLate: boolean,
): ReadonlyArray<string> => {
  const own = notification.subscription ?? ""
  const others = openIn.filter((other) => other !== own)
  if (isOver(notification)) return isLate || notification.state === "withdrawn" ? others : []
  return isRouted ? [...others, own] : openIn
}

/** Makes the next notification the current one. What the sink shows may have changed since it was added, by a dead letter. */
export const promote = (event: SinkEvent, notification: Notification): SinkEvent => ({
  ...event,
  current: Decide.adapt(event.shown, notification),
  next: undefined,
})

/** How long an opening waits for the next one, and the first of them for all others. */
export const joinTimes = { one: 10_000, all: 60_000 }

/** The longest wait after a failure. */
const longestRetry = 5 * 60_000

/** Bounds the times of a state that was saved before the clock was set back. */
const inTime = (
  { savedAt = 0, ...stored }: typeof Stored.Type,
  now: number,
): Pick<typeof Stored.Type, "events" | "window"> => {
  const { events, window } = stored
  const bounded = window && {
    until: Math.min(window.until, now + joinTimes.one),
    latest: Math.min(window.latest, now + joinTimes.all),
  }
  if (savedAt <= now + longestRetry) return { events, window: bounded }
  const eventOf = ({ accepted, next, ...event }: (typeof events)[number]) => ({
    ...event,
    ...(accepted && { accepted: { ...accepted, at: Math.min(accepted.at, now) } }),
    ...(next && { next: { ...next, notBefore: Math.min(next.notBefore, now + longestRetry) } }),
  })
  return { events: events.map(eventOf), window: bounded }
}

export const load = (
  stored: typeof Stored.Type,
  { now, ...settings }: Pick<State, "keepsEvents" | "repeatEvery" | "sink"> & { readonly now: number },
): State => {
  const { deadLetters, isNew } = stored
  const { events, window } = inTime(stored, now)
  const all = events.map((event): readonly [string, SinkEvent] => {
    const { current, joins, key, next } = event
    // A notification that was due may have been sent.
    const isSent = current === undefined && joins !== true && next !== undefined && next.notBefore <= now
    return [key, isSent ? promote(event, next.notification) : event]
  })
  const rest = { deadLetters, isNew, window, deadLettered: 0, repeating: undefined, revision: 0 }
  return { ...settings, ...rest, events: new Map(all) }
}

/** When the next attempt for an event is due; infinite if nothing waits. */
export const timeOf = ({ window }: State, { current, joins, next, retryAt = 0, summary }: SinkEvent): number => {
  if (summary !== undefined) return Infinity
  const notBefore = current === undefined ? (next?.notBefore ?? Infinity) : 0
  return Math.max(notBefore, retryAt, joins === true ? (window?.until ?? 0) : 0)
}

/** The event whose notification is due first, and the time. */
export const next = (state: State) => {
  let best: { readonly event: SinkEvent; readonly at: number } | undefined
  for (const event of state.events.values()) {
    const at = event.key === state.repeating ? Infinity : timeOf(state, event)
    if (at < (best?.at ?? Infinity)) best = { event, at }
  }
  return best
}

/** An event of a removed subscription never closes. */
const maxRepeat = 30 * 24 * 60 * 60_000

/** The notification to repeat for an event. None, while a later one is due, or may have arrived. */
export const toRepeat = (state: State, key: string, now: number): Notification | undefined => {
  const event = state.events.get(key)
  if (event?.accepted === undefined || event.current !== undefined) return undefined
  const isOver = timeOf(state, event) <= now || now >= event.accepted.at + maxRepeat
  return isOver ? undefined : event.accepted.notification
}

/** Whether a notification is sent, or due. */
export const isBusy = (state: State, now: number): boolean =>
  Array.from(state.events.values()).some((event) => isSending(event) || timeOf(state, event) <= now)

/** The level at which the sink may have an event open. */
export const openLevel = ({ events }: State, key: string): Level | undefined => {
  const event = events.get(key)
  return event && Decide.openLevel(historyOf(event))
}

/** The events with a message that waits. Those of a summary are one message. */
const waiting = ({ events }: State): ReadonlyArray<SinkEvent> =>
  Array.from(events.values()).filter((event) => event.summary === undefined && isWaiting(event))

/** How many messages wait, and how many of them wait for a retry. */
export const count = (state: State) => {
  const all = waiting(state)
  const retrying = all.filter((event) => event.current !== undefined && !isSending(event))
  return { pending: all.length, retrying: retrying.length }
}
