/** What changes the state of a sink. Pure: each function returns the next state, so that every stored text is consistent. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import type { DeadLetter } from "../DeadLetter.js"
import { type Level, levelRank, type Notification } from "../Notification.js"
import * as sinkEvent from "./sinkEvent.js"
import type { SinkEvent } from "./sinkEvent.js"
import { change, count, forget, isRepeated, next, nextRepeat, put, type State, timeOf } from "./sinkState.js"
import * as summaries from "./summary.js"

/** How many events may wait, and how many dead letters a sink keeps. */
const maxWaiting = 1_000
const maxDeadLetters = 1_000

/** An event of a removed subscription never closes. */
const maxRepeat = 30 * 24 * 60 * 60_000

/** How long an opening waits for the next one, and the first of them for all others. */
const joinTime = 10_000
const maxJoinTime = 60_000

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
  const single = due.map((event) => ({ ...event, joins: undefined }))
  const next = put({ ...state, isNew: false, window: undefined }, single)
  // A paused delivery does not know whether the sink repeats.
  if (due.length < 2 || state.repeatEvery !== undefined) return next
  const openings = due.flatMap(({ first }) => first?.notification ?? [])
  const notification = summaries.make(openings, now)
  const { key } = notification
  const members = single.map((event) => ({ ...event, summary: key, isAttempted: true }))
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
  const isOld = now >= accepted.at + maxRepeat
  const repeatAt = isOld ? undefined : now + (state.repeatEvery ?? Infinity)
  const repeating = change(state, due.key, (event) => ({ ...event, repeatAt, isRepeating: !isOld }))
  return isOld ? beginRepeat(repeating, now) : [repeating, accepted.notification]
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
