/** What changes the state of a sink. Each function completes its change at once, so that every stored text is consistent. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import type { DeadLetter } from "../DeadLetter.js"
import * as Decide from "../Decide.js"
import { isClosing, join, type Level, levelRank, type Notification } from "../Notification.js"
import type * as Routes from "../Routes.js"
import * as sinkState from "./sinkState.js"
import { isWaiting, joinTimes, notifications, type SinkEvent, type State, timeOf } from "./sinkState.js"
import * as summaries from "./summary.js"

/** How many events that do not wait a sink remembers, and how many dead letters it keeps. */
const maxIdle = 1_000
const maxDeadLetters = 1_000

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
): void => {
  const { sink } = state
  const letter = { sink, reason, detail: toSingleLine(detail, 500), at: new Date(now).toISOString(), notification }
  const letters = [...state.deadLetters.filter((other) => other.notification.id !== notification.id), letter]
  const dropped =
    letters.length > maxDeadLetters ? leastSevere(letters, ({ notification: { level } }) => level) : undefined
  state.deadLetters = letters.filter((other) => other !== dropped)
  state.deadLettered += 1
}

/** Removes events that do not wait, closed ones first. */
const forget = ({ events }: State): void => {
  if (events.size <= maxIdle) return
  const idle = Array.from(events.values()).filter((event) => !isWaiting(event))
  if (idle.length <= maxIdle) return
  const isClosed = ({ shown }: SinkEvent) => shown === "closed"
  const closedFirst = [...idle.filter(isClosed), ...idle.filter((event) => !isClosed(event))]
  for (const { key } of closedFirst.slice(0, idle.length - maxIdle)) events.delete(key)
}

/** Replaces an event, which is the last one now. */
const move = ({ events }: State, event: SinkEvent): void => {
  events.delete(event.key)
  events.set(event.key, event)
}

/** Changes an event, or those of a summary, which is forgotten. */
const complete = (state: State, event: SinkEvent, apply: (event: SinkEvent) => SinkEvent): void => {
  const isSummary = event.current?.state === "summary"
  if (isSummary) state.events.delete(event.key)
  const all = isSummary ? Array.from(state.events.values()).filter(({ summary }) => summary === event.key) : [event]
  for (const one of all) move(state, apply(one))
  forget(state)
  state.revision += 1
}

/** Removes the current notification: the sink has it, or will never get it. */
const advance = (
  { key, last, next, openIn }: SinkEvent,
  shown: Decide.Shown,
  accepted: SinkEvent["accepted"],
): SinkEvent => ({ key, shown, last, openIn, next, accepted })

/** The sink does not have the current notification. */
const miss = (event: SinkEvent): SinkEvent => {
  const shown = event.current === undefined ? "unsure" : Decide.missed(event.shown, event.current)
  return advance(event, shown, shown === event.shown ? event.accepted : undefined)
}

const isOpening = ({ state }: Notification): boolean => state === "opened" || state === "reopened"

/** Accepts a notification. */
export const accept = (state: State, notification: Notification, route: Routes.Decision, now: number): void => {
  const before = state.events.get(notification.key) ?? sinkState.makeEvent(notification.key)
  const isOpenElsewhere = before.openIn.some((other) => other !== (notification.subscription ?? ""))
  const situation = { history: sinkState.historyOf(before), waiting: before.next, isOpenElsewhere }
  const decision = Decide.decide(situation, notification, route, now)
  const isLate = decision.action === "drop" && decision.reason === "late"
  const openIn = sinkState.openAfter(before, notification, route.action !== "skip", isLate)
  if (decision.action === "drop") {
    if (openIn.length === before.openIn.length) return
    state.events.set(before.key, { ...before, openIn })
    state.revision += 1
    return
  }
  const { last, waiting } = decision
  // A new sink gets what is active: not the end of an event that it was never sent.
  const isUnknown = state.isNew && before.joins === true && before.shown === "unknown"
  const next = isUnknown && isClosing(waiting.notification.state) ? undefined : waiting
  const isNews = !isWaiting(before)
  const isGathered = state.isNew || (route.action === "deliver" && route.isGrouped === true)
  const canJoin = before.joins === true || isGathered || route.action === "hold"
  const isUnsentOpening = before.current === undefined && next !== undefined && isOpening(next.notification)
  const joins = canJoin && isUnsentOpening && !state.keepsEvents ? true : undefined
  if (isNews && isGathered && joins === true) {
    const latest = state.window?.latest ?? now + joinTimes.all
    state.window = { until: Math.min(now + joinTimes.one, latest), latest }
  }
  if (isNews) state.events.delete(before.key)
  state.events.set(before.key, { ...before, last, openIn, next, joins })
  state.revision += 1
}

/** Ends the time for which openings wait for others. */
export const release = (state: State): void => {
  state.window = null
}

/** Joins the due openings, if there are several. `shownNow`: what the clock shows. */
const summarize = (state: State, now: number, shownNow: number): void => {
  const due = Array.from(state.events.values()).filter((event) => event.joins === true && timeOf(state, event) <= now)
  state.isNew = false
  state.window = null
  state.revision += 1
  for (const event of due) state.events.set(event.key, { ...event, joins: undefined })
  // A paused delivery does not know whether the sink keeps events.
  if (due.length < 2 || state.keepsEvents) return
  const notification = summaries.make(due.flatMap(notifications), shownNow)
  const { key } = notification
  for (const { next, ...event } of due)
    state.events.set(event.key, { ...event, joins: undefined, summary: key, current: next?.notification })
  move(state, { ...sinkState.makeEvent(key), current: notification })
}

/**
 * Sends the current notification again unchanged, because it may have arrived. But a due next one replaces an update, and a resolution or
 * withdrawal replaces anything.
 */
const send = (event: SinkEvent, now: number): SinkEvent => {
  const { current, next } = event
  const sending = { ...event, retryAt: Infinity }
  if (next === undefined || next.notBefore > now) return sending
  if (current === undefined) return sinkState.promote(sending, next.notification)
  const isReplaced = current.state === "updated" || isClosing(next.notification.state)
  return isReplaced ? sinkState.promote(sending, join(current, next.notification)) : sending
}

/** Begins to send the next due notification, if there is one. Openings that waited for each other are joined. `shownNow`: what the clock shows. */
export const begin = (state: State, now: number, shownNow: number): SinkEvent | undefined => {
  const due = sinkState.next(state)
  if (due === undefined || due.at > now) return undefined
  if (due.event.joins === true) {
    summarize(state, now, shownNow)
    return begin(state, now, shownNow)
  }
  const event = send(due.event, now)
  state.events.set(event.key, event)
  if (event.current !== undefined && isOpening(event.current)) state.isNew = false
  // A due notification that is stored counts as sent.
  if (event.current !== notifications(due.event)[0]) state.revision += 1
  return event
}

export const succeed = (state: State, key: string, now: number): void => {
  const event = state.events.get(key)
  if (event === undefined) return
  complete(state, event, (one) => {
    const { current } = one
    if (current === undefined) return one
    const shown = Decide.received(current)
    const isRepeated = shown === "open" && state.repeatEvery < Infinity
    return advance(one, shown, isRepeated ? { notification: current, at: now } : undefined)
  })
}

/** The attempt failed. */
export const postpone = ({ events }: State, key: string, retryAt: number): void => {
  const event = events.get(key)
  if (event !== undefined) events.set(key, { ...event, failures: (event.failures ?? 0) + 1, retryAt })
}

/** The sink will never accept the notification. */
export const giveUp = (state: State, key: string, reason: DeadLetter["reason"], detail: string, now: number): void => {
  const event = state.events.get(key)
  if (event?.current === undefined) return
  addDeadLetter(state, event.current, reason, detail, now)
  complete(state, event, miss)
}

export const removeDeadLetters = (state: State, ids: ReadonlySet<string>): void => {
  state.deadLetters = state.deadLetters.filter(({ notification: { id } }) => !ids.has(id))
  state.revision += 1
}

/**
 * Moves dead letters back to the queue, to send them again unchanged. Skips those of an event that has a later notification, because the
 * sink would show an old state. Returns the IDs of what it moves, the latest first.
 */
export const requeue = (state: State, ids: ReadonlySet<string>): ReadonlyArray<string> => {
  const moved: Array<string> = []
  for (const { notification } of state.deadLetters.toReversed().filter(({ notification: { id } }) => ids.has(id))) {
    const { id, key } = notification
    const event = state.events.get(key) ?? sinkState.makeEvent(key)
    const isLast = !isWaiting(event) && (event.last?.id ?? id) === id
    if (!isLast) continue
    move(state, { ...event, current: notification })
    moved.push(id)
  }
  removeDeadLetters(state, new Set(moved))
  return moved
}
