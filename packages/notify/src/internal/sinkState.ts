/** The state of a sink: its events with what waits for it, and its dead letters. Pure: each function returns the next state. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Schema from "effect/Schema"
import { DeadLetter } from "../DeadLetter.js"
import { type Level, levelRank, type Notification } from "../Notification.js"
import * as sinkEvent from "./sinkEvent.js"
import type { SinkEvent } from "./sinkEvent.js"
import * as summaries from "./summary.js"

/** How many events a sink remembers, how many may wait, and how many dead letters it keeps. */
const maxEvents = 1_000
const maxWaiting = 1_000
const maxDeadLetters = 1_000

/** An event of a removed subscription never closes. */
const maxRepeat = 30 * 24 * 60 * 60_000

/** How long an opening waits for the next one, and the first of them for all others. */
const joinTime = 10_000
const maxJoinTime = 60_000

/** Openings are joined until this time. */
const Window = Schema.Struct({ until: Schema.Number, latest: Schema.Number })

/** Times are in milliseconds since 1970. */
export const Stored = Schema.Struct({
  delivery: Schema.Literal(2),
  /** Whether the sink has got no opening yet. */
  isNew: Schema.Boolean,
  window: Schema.NullOr(Window),
  events: Schema.Array(sinkEvent.Stored),
  deadLetters: Schema.Array(DeadLetter),
})

export const none: typeof Stored.Type = { delivery: 2, isNew: true, window: null, events: [], deadLetters: [] }

export interface State {
  readonly sink: string
  /** In milliseconds; may be infinite. `undefined`: the target does not keep the state of events, and several openings may be one message. */
  readonly repeatEvery: number | undefined
  readonly isNew: boolean
  readonly window?: typeof Window.Type | undefined
  /** By key. Those that changed last are last. */
  readonly events: ReadonlyMap<string, SinkEvent>
  /** The oldest first. */
  readonly deadLetters: ReadonlyArray<DeadLetter>
  /** How many notifications became dead letters. */
  readonly deadLettered: number
}

const isRepeated = ({ repeatEvery = Infinity }: Pick<State, "repeatEvery">): boolean => repeatEvery < Infinity

export const load = (
  stored: typeof Stored.Type,
  { now, ...settings }: Pick<State, "repeatEvery" | "sink"> & { readonly now: number },
): State => {
  const events = stored.events.map((event): readonly [string, SinkEvent] => {
    const { accepted, first, joins, key } = event
    // The target may have lost it meanwhile.
    const repeatAt = accepted !== undefined && isRepeated(settings) ? now : undefined
    // A notification that was not due has not been attempted.
    const isAttempted = first !== undefined && joins !== true && first.notBefore <= now
    return [key, { ...event, repeatAt, isAttempted }]
  })
  return { ...settings, ...stored, window: stored.window ?? undefined, events: new Map(events), deadLettered: 0 }
}

/** Each change stores all events, but few of them are new. */
const texts = new WeakMap<object, string>()

const textOf = (value: object): string => {
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

export const encode = ({ deadLetters, events, isNew, window }: State): string => {
  const list = (values: Iterable<object>): string => `[${Array.from(values, textOf).join()}]`
  return `{"delivery":2,"isNew":${isNew},"window":${JSON.stringify(window ?? null)},"events":${list(events.values())},"deadLetters":${list(deadLetters)}}`
}

/** Replaces events. `isLast`: also their place. */
const put = (state: State, changed: ReadonlyArray<SinkEvent>, isLast = false): State => {
  const events = new Map(state.events)
  for (const event of changed) {
    if (isLast) events.delete(event.key)
    events.set(event.key, event)
  }
  return { ...state, events }
}

const change = (state: State, key: string, apply: (event: SinkEvent) => SinkEvent): State => {
  const event = state.events.get(key)
  return event === undefined ? state : put(state, [apply(event)])
}

/** Removes events that do not wait, closed ones first. */
const forget = (state: State): State => {
  const idle = Array.from(state.events.values()).filter(({ first }) => first === undefined)
  if (idle.length <= maxEvents) return state
  const closedFirst = [
    ...idle.filter(({ isOpen }) => isOpen === false),
    ...idle.filter(({ isOpen }) => isOpen !== false),
  ]
  const events = new Map(state.events)
  for (const { key } of closedFirst.slice(0, idle.length - maxEvents)) events.delete(key)
  return { ...state, events }
}

/** The oldest of the least severe. */
const leastSevere = <A>(values: ReadonlyArray<A>, levelOf: (value: A) => Level): A | undefined => {
  const ranks = values.map((value) => levelRank(levelOf(value)))
  return values[ranks.indexOf(Math.max(...ranks))]
}

const addDeadLetter = (
  state: State,
  notification: Notification,
  reason: DeadLetter["reason"],
  detail: string,
  now: number,
): State => {
  const { sink } = state
  const letter = { sink, reason, detail: toSingleLine(detail, 500), at: new Date(now).toISOString(), notification }
  const letters = [...state.deadLetters.filter((other) => other.notification.id !== notification.id), letter]
  const dropped =
    letters.length > maxDeadLetters ? leastSevere(letters, ({ notification: { level } }) => level) : undefined
  const deadLetters = letters.filter((other) => other !== dropped)
  return { ...state, deadLetters, deadLettered: state.deadLettered + 1 }
}

/** The event, or those of a summary, which is forgotten. */
const complete = (state: State, event: SinkEvent, apply: (event: SinkEvent) => SinkEvent): State => {
  if (event.members === undefined) return forget(put(state, [apply(event)], true))
  const events = new Map(state.events)
  events.delete(event.key)
  const members = event.members.flatMap((key) => events.get(key) ?? [])
  return forget(put({ ...state, events }, members.map(apply), true))
}

/** The sink does not have the first notification. Of an opening or a closing, it may have got an earlier attempt. */
const miss = (event: SinkEvent): SinkEvent => {
  const { accepted, first, isOpen, repeatAt } = event
  const isUpdate = first?.notification.state === "updated" && isOpen !== undefined
  return sinkEvent.advance(event, isUpdate ? { isOpen, accepted, repeatAt } : { isOpen: null })
}

const lastLevel = ({ first, second }: SinkEvent): Level => (second ?? first)?.notification.level ?? "Informational"

const overflow = (state: State, now: number): State => {
  const waiting = Array.from(state.events.values()).filter(({ first }) => first !== undefined)
  if (waiting.filter(({ members }) => members === undefined).length <= maxWaiting) return state
  const unsent = waiting.filter(({ isSending, summary }) => isSending !== true && summary === undefined)
  const event = leastSevere(unsent, lastLevel)
  if (event === undefined) return state
  const lost = [event.first, event.second].flatMap((pending) => pending?.notification ?? [])
  const detail = `More than ${maxWaiting} events were waiting for the sink.`
  const next = lost.reduce((next, notification) => addDeadLetter(next, notification, "overflow", detail, now), state)
  return complete(next, event, (one) => (one === event ? miss(miss(one)) : miss(one)))
}

/** When the next notification of an event is due. */
const timeOf = ({ window }: State, { first, joins, retryAt = 0, summary }: SinkEvent): number | undefined => {
  if (first === undefined || summary !== undefined) return undefined
  return Math.max(first.notBefore, retryAt, joins === true ? (window?.until ?? 0) : 0)
}

/** When the next notification of an event is due; `undefined` if none waits. */
export const dueAt = (state: State, key: string): number | undefined => {
  const event = state.events.get(key)
  return event && timeOf(state, event)
}

/** When to repeat the last notification of an event. Never, while a later one may have arrived. */
const repeatAt = ({ isAttempted, repeatAt }: SinkEvent): number | undefined =>
  isAttempted === true ? undefined : repeatAt

/** The event with the earliest time. */
const earliest = (state: State, getTime: (event: SinkEvent) => number | undefined) => {
  let best: { readonly key: string; readonly at: number } | undefined
  for (const event of state.events.values()) {
    const at = event.isSending === true || event.isRepeating === true ? undefined : getTime(event)
    if (at !== undefined && at < (best?.at ?? Infinity)) best = { key: event.key, at }
  }
  return best
}

/** The event whose notification is due first, and the time. */
export const next = (state: State) => earliest(state, (event) => timeOf(state, event))

/** The event that is repeated first, and the time. */
export const nextRepeat = (state: State) => earliest(state, repeatAt)

/** Whether a notification is sent, or due. */
export const isBusy = (state: State, now: number): boolean =>
  Array.from(state.events.values()).some(
    (event) => event.isSending === true || (timeOf(state, event) ?? Infinity) <= now,
  )

/** The level at which the sink has an event open, or may have it open; the highest one if unknown. */
export const openLevel = ({ events }: State, key: string): Level | undefined => {
  const event = events.get(key)
  if (event === undefined) return undefined
  const { first, isAttempted, level = "Critical", second } = event
  const sent = isAttempted === true ? [first, second].flatMap((pending) => pending?.notification ?? []) : []
  const isOpen = sent.reduce<SinkEvent["isOpen"]>(sinkEvent.isOpenAfter, event.isOpen)
  return isOpen === true || isOpen === null ? level : undefined
}

/** When and how to deliver a notification. */
export interface Plan {
  /** `undefined`: only if it closes an event whose notification was not sent yet. */
  readonly notBefore: number | undefined
  /** Whether an opening waits for others, as the first ones of a sink do. */
  readonly isGrouped: boolean
}

/** Accepts a notification. Returns the same state if nothing changes. */
export const accept = (
  state: State,
  notification: Notification,
  { isGrouped, notBefore }: Plan,
  now: number,
): State => {
  const before = state.events.get(notification.key) ?? { key: notification.key, openIn: [] }
  const event = sinkEvent.accept(before, notification, notBefore)
  if (event === before) return state
  const { first, isAttempted } = event
  const isFirst = before.first === undefined && first !== undefined
  const isHeld = (notBefore ?? 0) > now
  const isGathered = state.isNew || isGrouped
  const isUnsentOpening = first !== undefined && isAttempted !== true && sinkEvent.isOpening(first.notification)
  const canJoin = before.joins === true || (isFirst && (isHeld || isGathered))
  const joins = canJoin && isUnsentOpening && state.repeatEvery === undefined ? true : undefined
  const latest = state.window?.latest ?? now + maxJoinTime
  const window =
    joins === true && isGathered && !isHeld ? { until: Math.min(now + joinTime, latest), latest } : state.window
  return overflow(put({ ...state, window }, [{ ...event, joins }], isFirst), now)
}

/** Ends the time for which openings wait for others. */
export const release = (state: State): State => (state.window === undefined ? state : { ...state, window: undefined })

/** Joins the due openings, if there are several. */
const summarize = (state: State, now: number): State => {
  const due = Array.from(state.events.values()).filter(
    (event) => event.joins === true && (timeOf(state, event) ?? Infinity) <= now,
  )
  const next = { ...state, isNew: false, window: undefined }
  // A paused delivery does not know whether the sink repeats.
  if (due.length < 2 || state.repeatEvery !== undefined)
    return put(
      next,
      due.map((event) => ({ ...event, joins: undefined })),
    )
  const notification = summaries.make(
    due.flatMap(({ first }) => first?.notification ?? []),
    now,
  )
  const { key } = notification
  const members = due.map((event) => ({ ...event, joins: undefined, summary: key, isAttempted: true }))
  const summary = { key, openIn: [], first: { notification, notBefore: now }, members: members.map(({ key }) => key) }
  return put(put(next, members), [summary], true)
}

/** Begins to send the next due notification, if there is one. Openings that waited for each other are joined. */
export const begin = (state: State, now: number): readonly [State, SinkEvent | undefined] => {
  const due = next(state)
  if (due === undefined || due.at > now) return [state, undefined]
  if (state.events.get(due.key)?.joins === true) return begin(summarize(state, now), now)
  const started = change(state, due.key, (event) => sinkEvent.begin(event, now))
  return [started, started.events.get(due.key)]
}

export const succeed = (state: State, key: string, now: number): State => {
  const event = state.events.get(key)
  if (event?.first === undefined) return state
  const { repeatEvery } = state
  return complete(state, event, (one) => {
    const { first, isOpen: wasOpen } = one
    if (first === undefined) return one
    const { notification } = first
    const isOpen = sinkEvent.isOpenAfter(wasOpen, notification)
    const repeats = { accepted: { notification, at: now }, repeatAt: now + (repeatEvery ?? 0) }
    return sinkEvent.advance(one, { isOpen, ...(isOpen && isRepeated(state) ? repeats : {}) })
  })
}

/** The attempt failed. */
export const postpone = (state: State, key: string, retryAt: number): State =>
  change(state, key, (event) => ({ ...event, isSending: false, failures: (event.failures ?? 0) + 1, retryAt }))

/** The sink will never accept the notification. */
export const giveUp = (state: State, key: string, reason: DeadLetter["reason"], detail: string, now: number): State => {
  const event = state.events.get(key)
  if (event?.first === undefined) return state
  return complete(addDeadLetter(state, event.first.notification, reason, detail, now), event, miss)
}

/** Begins to repeat the last notification of an event, if one is due. */
export const beginRepeat = (state: State, now: number): readonly [State, Notification | undefined] => {
  const due = nextRepeat(state)
  const accepted = due === undefined || due.at > now ? undefined : state.events.get(due.key)?.accepted
  if (due === undefined || accepted === undefined) return [state, undefined]
  if (now >= accepted.at + maxRepeat)
    return beginRepeat(
      change(state, due.key, (event) => ({ ...event, repeatAt: undefined })),
      now,
    )
  const repeatAt = now + (state.repeatEvery ?? Infinity)
  return [change(state, due.key, (event) => ({ ...event, repeatAt, isRepeating: true })), accepted.notification]
}

export const endRepeat = (state: State, key: string): State =>
  change(state, key, (event) => ({ ...event, isRepeating: false }))

/**
 * Moves dead letters back to the queue, to send them again unchanged. Skips those of an event that has a later notification, because the
 * sink would show an old state, and those beyond the limit of waiting events. Returns the IDs of what it moves, the latest first.
 */
export const requeue = (state: State, ids: ReadonlySet<string>, now: number): readonly [State, ReadonlyArray<string>] =>
  state.deadLetters
    .toReversed()
    .filter(({ notification: { id } }) => ids.has(id))
    .reduce<readonly [State, ReadonlyArray<string>]>(
      ([state, moved], letter) => {
        const { id, key } = letter.notification
        const event = state.events.get(key) ?? { key, openIn: [] }
        const isLast = event.first === undefined && (event.last?.ids.at(-1) ?? id) === id
        if (!isLast || count(state).pending >= maxWaiting) return [state, moved]
        const first = { notification: letter.notification, notBefore: now }
        const members = letter.notification.state === "summary" ? [] : undefined
        const deadLetters = state.deadLetters.filter((other) => other !== letter)
        return [put({ ...state, deadLetters }, [{ ...event, first, members, isAttempted: true }], true), [...moved, id]]
      },
      [state, []],
    )

export const removeDeadLetters = (state: State, ids: ReadonlySet<string>): State => ({
  ...state,
  deadLetters: state.deadLetters.filter(({ notification: { id } }) => !ids.has(id)),
})

/** How many messages wait, and how many of them wait for a retry. */
export const count = ({ events }: State) => {
  const waiting = Array.from(events.values()).filter(
    ({ first, summary }) => first !== undefined && summary === undefined,
  )
  const retrying = waiting.filter(({ isAttempted, isSending }) => isAttempted === true && isSending !== true)
  return { pending: waiting.length, retrying: retrying.length }
}
