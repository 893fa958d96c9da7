/** The state of a sink: its pending, accepted and dead notifications. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Hash from "effect/Hash"
import * as Iterable from "effect/Iterable"
import * as Option from "effect/Option"
import type { DeadLetter } from "../DeadLetter.js"
import { isClosing, isOver, type Level, type Notification } from "../Notification.js"
import { EncodedMap } from "./encodedMap.js"
import * as sinkStore from "./sinkStore.js"
import * as waiting from "./waiting.js"

/** How many events a sink remembers, to recognize repeated changes and open events. */
const maxEvents = 1_000

/** How many events may wait, and how many dead letters a sink keeps. */
const maxPending = 1_000
const maxDeadLetters = 1_000

/** How many repeated notifications of an event a sink recognizes. */
const maxIds = 10

/** An event of a removed subscription never closes. */
const maxRepeat = 30 * 24 * 60 * 60_000

/** Differs if the event has changed. */
const versionOf = (notification: Notification) => {
  const { endedAt, level, regions, services, startedAt, status, title, type, updatedAt } = notification
  const content = [level, type, status, title, startedAt, updatedAt, endedAt, services, regions]
  return Hash.string(JSON.stringify(content))
}

/** Changes are synchronous, so that every stored text is consistent. Times are in milliseconds since 1970. `repeatEvery`: in milliseconds, or never. */
export const make = (
  sink: string,
  repeatEvery: number | undefined,
  stored: sinkStore.State = sinkStore.none,
  now: number = 0,
) => {
  const events = new EncodedMap<sinkStore.SinkEvent>()
  const versions = new EncodedMap<sinkStore.LastVersion>()
  const queue = new EncodedMap<waiting.Waiting>(({ first, second }) => ({ first, second }))
  const deadLetters = new EncodedMap<DeadLetter>()
  const openIn = new EncodedMap<sinkStore.OpenIn>()
  /** When to repeat the last notification of an event. */
  const repeats = new Map<string, number>()
  for (const { isOpen, key, last } of stored.events) {
    events.set(key, { key, isOpen, last: repeatEvery === undefined ? undefined : last })
    // The sink may have lost it meanwhile.
    if (last !== undefined && repeatEvery !== undefined) repeats.set(key, now)
  }
  for (const entry of stored.versions) versions.set(entry.key, entry)
  for (const entry of stored.openIn) openIn.set(entry.key, entry)
  // A notification that was not due has not been attempted.
  for (const { first, second } of stored.waiting)
    queue.set(first.notification.key, { first, second, isAttempted: first.notBefore <= now })
  for (const letter of stored.deadLetters) deadLetters.set(letter.notification.id, letter)
  const sending = new Set<string>()
  let deadLettered = 0

  const addDeadLetter = (notification: Notification, reason: DeadLetter["reason"], detail: string, now: number) => {
    const letter = { sink, reason, detail: toSingleLine(detail, 500), at: new Date(now).toISOString(), notification }
    deadLetters.delete(notification.id)
    for (const oldest of deadLetters.keys()) {
      if (deadLetters.size < maxDeadLetters) break
      deadLetters.delete(oldest)
    }
    deadLetters.set(notification.id, letter)
    deadLettered += 1
  }

  const advance = (key: string) => {
    const entry = queue.get(key)
    const rest = entry && waiting.rest(entry)
    sending.delete(key)
    if (rest === undefined) queue.delete(key)
    else queue.set(key, rest)
    return entry?.first.notification
  }

  const remember = ({ key }: Notification, isOpen: boolean | null, last?: sinkStore.SinkEvent["last"]) => {
    // The last one is the most recent one.
    events.delete(key)
    events.set(key, { key, isOpen, last })
    if (last === undefined) repeats.delete(key)
    if (events.size <= maxEvents) return
    const [oldest] = events.values()
    const forgotten = Option.getOrElse(
      Iterable.findFirst(events.values(), ({ isOpen }) => isOpen === false),
      () => oldest,
    )
    if (forgotten === undefined) return
    events.delete(forgotten.key)
    repeats.delete(forgotten.key)
    if (queue.has(forgotten.key)) return
    versions.delete(forgotten.key)
    openIn.delete(forgotten.key)
  }

  /**
   * Records in which subscriptions an event is open, and returns whether that changed. Its status is the same in all of them, so that a resolution
   * ends it in all.
   */
  const track = (notification: Notification, isRouted: boolean): boolean => {
    const { key, state, subscription } = notification
    const entry = openIn.get(key)
    const before = entry?.subscriptions ?? []
    const own = subscription ?? ""
    const others = before.filter((other) => other !== own)
    const open = isRouted ? [...others, own] : before
    const after = state === "withdrawn" ? others : waiting.isOpenAfter(undefined, notification) ? open : []
    const level = isRouted ? notification.level : (entry?.level ?? notification.level)
    if (after.length === before.length && (after.length === 0 || level === entry?.level)) return false
    if (after.length === 0) openIn.delete(key)
    else openIn.set(key, { key, subscriptions: after, level })
    return true
  }

  /** The sink does not have a notification. Of an opening or a closing, it may have got an earlier attempt. */
  const recordMissed = (notification: Notification) => {
    const entry = events.get(notification.key)
    if (notification.state === "updated" && entry !== undefined) remember(notification, entry.isOpen, entry.last)
    else remember(notification, null)
  }

  const overflow = (now: number) => {
    for (const [key, { first, second }] of queue) {
      if (queue.size <= maxPending) return
      if (sending.has(key)) continue
      for (const { notification } of [first, ...(second === undefined ? [] : [second])]) {
        addDeadLetter(notification, "overflow", `More than ${maxPending} events were waiting for the sink.`, now)
        recordMissed(notification)
      }
      queue.delete(key)
    }
  }

  return {
    /** The keys of all events that wait, or are repeated. */
    keys: () => new Set([...queue.keys(), ...repeats.keys()]),
    /** When the next notification of an event is due; `undefined` if none waits. */
    dueAt: (key: string): number | undefined => queue.get(key)?.first.notBefore,
    /** When to repeat the last notification of an event. Never, while a later one may have arrived. */
    repeatAt: (key: string): number | undefined =>
      queue.get(key)?.isAttempted === true ? undefined : repeats.get(key),
    /** The notification to repeat now. */
    repeat: (key: string, now: number): Notification | undefined => {
      const last = events.get(key)?.last
      const isDue = last !== undefined && repeatEvery !== undefined && now < last.at + maxRepeat
      if (isDue) repeats.set(key, now + repeatEvery)
      else repeats.delete(key)
      return isDue ? last.notification : undefined
    },
    /** The level at which the sink has an event open, or may have it open; the highest one if unknown. */
    openLevel: (key: string): Level | undefined => {
      const entry = queue.get(key)
      const sent = entry?.isAttempted === true ? [entry.first, entry.second ?? entry.first] : []
      const isOpen = sent.reduce<waiting.IsOpen>(
        (isOpen, { notification }) => waiting.isOpenAfter(isOpen, notification),
        events.get(key)?.isOpen,
      )
      return isOpen === true || isOpen === null ? (openIn.get(key)?.level ?? "Critical") : undefined
    },
    /**
     * Adds a notification, unless it is repeated while its event is the same, or is a withdrawal from one of several subscriptions. Without a time,
     * it is added only if it closes an event whose notification was not sent yet. Returns whether the state changed.
     */
    accept: (notification: Notification, notBefore: number | undefined, now: number): boolean => {
      const { id, key, state, subscription, updatedAt } = notification
      const last = versions.get(key)
      if (sinkStore.isLate(notification, last)) return false
      const isTracked = track(notification, notBefore !== undefined)
      if (state === "withdrawn" && openIn.has(key)) return isTracked
      const entry = queue.get(key)
      const version = versionOf(notification)
      const own = { key, version, isOver: isOver(notification), ids: [], subscription, updatedAt }
      // A subscription may stop listing the event before it listed the last version.
      const isSame = last?.isOver === own.isOver && (last.version === own.version || state === "withdrawn")
      const before: sinkStore.LastVersion = isSame ? last : own
      const isUnsent = entry !== undefined && !entry.isAttempted
      if (before.ids.includes(id) || (notBefore === undefined && !(isUnsent && isClosing(state)))) return isTracked
      versions.set(key, { ...before, ids: [...before.ids, id].slice(-maxIds) })
      const pending = { notification, notBefore: notBefore ?? Infinity }
      queue.set(key, waiting.add(entry, events.get(key)?.isOpen, pending))
      overflow(now)
      return true
    },
    /** The notification to send now; `undefined` if none waits. */
    begin: (key: string, now: number): Notification | undefined => {
      const entry = queue.get(key)
      if (entry === undefined) return undefined
      const next = waiting.next(entry, events.get(key)?.isOpen, now)
      queue.set(key, next)
      sending.add(key)
      return next.first.notification
    },
    succeed: (key: string, now: number): void => {
      const notification = advance(key)
      if (notification === undefined) return
      const isOpen = waiting.isOpenAfter(events.get(key)?.isOpen, notification)
      const isRepeated = isOpen && repeatEvery !== undefined
      remember(notification, isOpen, isRepeated ? { notification, at: now } : undefined)
      if (isRepeated) repeats.set(key, now + repeatEvery)
    },
    postpone: (key: string): void => {
      sending.delete(key)
    },
    giveUp: (key: string, reason: DeadLetter["reason"], detail: string, now: number): void => {
      const notification = advance(key)
      if (notification === undefined) return
      addDeadLetter(notification, reason, detail, now)
      recordMissed(notification)
    },
    deadLetters: (): ReadonlyArray<DeadLetter> => Array.from(deadLetters.values()),
    /**
     * Moves dead letters back to the queue, to send them again unchanged. Skips those of an event that has a later notification, because the
     * sink would show an old state, and those beyond the limit of waiting events. Returns what it moves.
     */
    requeue: (ids: ReadonlySet<string>, now: number): ReadonlyArray<Notification> => {
      const latestFirst = Array.from(deadLetters.values()).toReversed()
      return latestFirst.flatMap(({ notification }) => {
        const { id, key } = notification
        const isLast = !queue.has(key) && (versions.get(key)?.ids.at(-1) ?? id) === id
        if (!ids.has(id) || !isLast || queue.size >= maxPending) return []
        deadLetters.delete(id)
        queue.set(key, { first: { notification, notBefore: now }, isAttempted: true })
        return [notification]
      })
    },
    removeDeadLetters: (ids: ReadonlySet<string>): void => {
      for (const id of ids) deadLetters.delete(id)
    },
    counts: () => ({
      pending: queue.size,
      retrying: Array.from(queue).filter(([key, { isAttempted }]) => isAttempted && !sending.has(key)).length,
      deadLettered,
    }),
    text: (): string =>
      `{"delivery":1,"waiting":${queue.text()},"events":${events.text()},"versions":${versions.text()},"deadLetters":${deadLetters.text()},"openIn":${openIn.text()}}`,
  }
}
