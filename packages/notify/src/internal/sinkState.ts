/** The state of a sink: what waits for it, what it has, and what it did not get. Stored as one JSON text. */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DeadLetter } from "../DeadLetter.js"
import { DeliveryStoreError } from "../DeliveryStoreError.js"
import { isClosing, Level, Notification } from "../Notification.js"
import { EncodedMap } from "./encodedMap.js"
import * as waiting from "./waiting.js"

/** How many events a sink remembers, to recognize repeated changes and open events. */
const maxKnown = 1_000

const Pending = Schema.Struct({ notification: Notification, notBefore: Schema.Number })

const Known = Schema.Struct({ key: Schema.String, id: Schema.String, isOpen: Schema.NullOr(Schema.Boolean) })

type Known = typeof Known.Type

/** The subscriptions whose notifications the sink gets, and that have the event open. `level`: that of the last of these notifications. */
const OpenIn = Schema.Struct({ key: Schema.String, subscriptions: Schema.Array(Schema.String), level: Level })

type OpenIn = typeof OpenIn.Type

const Stored = Schema.parseJson(
  Schema.Struct({
    delivery: Schema.Literal(1),
    waiting: Schema.Array(Schema.Struct({ first: Pending, second: Schema.optional(Pending) })),
    known: Schema.Array(Known),
    deadLetters: Schema.Array(DeadLetter),
    openIn: Schema.optionalWith(Schema.Array(OpenIn), { default: () => [] }),
  }),
)

type Stored = typeof Stored.Type

const none: Stored = { delivery: 1, waiting: [], known: [], deadLetters: [], openIn: [] }

const decode = Schema.decode(Stored)

/** Where the state of a sink is stored. */
export interface Location {
  readonly store: KeyValueStore.KeyValueStore
  readonly key: string
}

export const load = ({ key, store }: Location): Effect.Effect<Stored, DeliveryStoreError> =>
  Effect.mapError(store.get(key), (cause) => new DeliveryStoreError({ key, reason: "unavailable", cause })).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.succeed(none),
        onSome: (text) => Effect.mapError(decode(text), () => new DeliveryStoreError({ key, reason: "unreadable" })),
      }),
    ),
  )

/** Not interruptible: half a write may leave the text unreadable. */
export const save = ({ key, store }: Location, text: string): Effect.Effect<void, DeliveryStoreError> =>
  Effect.mapError(
    Effect.uninterruptible(store.set(key, text)),
    (cause) => new DeliveryStoreError({ key, reason: "unavailable", cause }),
  )

interface Limits {
  readonly maxPending: number
  readonly maxDeadLetters: number
}

/** Does not copy a long collection to find one of the first values. */
const find = <A>(values: Iterable<A>, isWanted: (value: A) => boolean): A | undefined => {
  for (const value of values) if (isWanted(value)) return value
  return undefined
}

/** Changes are synchronous, so that every stored text is consistent. Times are in milliseconds since 1970. */
export const make = (sink: string, { maxDeadLetters, maxPending }: Limits, stored: Stored = none, now: number = 0) => {
  const known = new EncodedMap<Known>(identity)
  const queue = new EncodedMap<waiting.Waiting>(({ first, second }) => ({ first, second }))
  const deadLetters = new EncodedMap<DeadLetter>(identity)
  const openIn = new EncodedMap<OpenIn>(identity)
  for (const entry of stored.known) known.set(entry.key, entry)
  for (const entry of stored.openIn) openIn.set(entry.key, entry)
  // What was not due was not sent.
  for (const { first, second } of stored.waiting)
    queue.set(first.notification.key, { first, second, isAttempted: first.notBefore <= now })
  // The limit may have been lowered.
  for (const letter of stored.deadLetters.slice(-maxDeadLetters)) deadLetters.set(letter.notification.id, letter)
  const sending = new Set<string>()
  let deadLettered = 0

  const bury = (notification: Notification, reason: DeadLetter["reason"], detail: string, now: number) => {
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

  const remember = ({ id, key }: Notification, isOpen: boolean | null) => {
    // The last one is the most recent one.
    known.delete(key)
    known.set(key, { key, id, isOpen })
    if (known.size <= maxKnown) return
    const [oldest] = known.values()
    const forgotten = find(known.values(), (entry) => entry.isOpen === false) ?? oldest
    if (forgotten === undefined) return
    known.delete(forgotten.key)
    if (!queue.has(forgotten.key)) openIn.delete(forgotten.key)
  }

  /**
   * Records in which subscriptions an event is open, and returns whether that changed. Its status is the same in all of them, so that a resolution
   * ends it in all.
   */
  const track = (notification: Notification, isRouted: boolean): boolean => {
    const { key, state, subscription } = notification
    const known = openIn.get(key)
    const before = known?.subscriptions ?? []
    const own = subscription ?? ""
    const others = before.filter((other) => other !== own)
    const open = isRouted ? [...others, own] : before
    const after = state === "withdrawn" ? others : waiting.isOpenAfter(undefined, notification) ? open : []
    const level = isRouted ? notification.level : (known?.level ?? notification.level)
    if (after.length === before.length && (after.length === 0 || level === known?.level)) return false
    if (after.length === 0) openIn.delete(key)
    else openIn.set(key, { key, subscriptions: after, level })
    return true
  }

  /** The sink does not have a notification. Of an opening or a closing, it may have got an earlier attempt. */
  const miss = (notification: Notification) => {
    const isOpen = known.get(notification.key)?.isOpen
    remember(notification, notification.state === "updated" && isOpen !== undefined ? isOpen : null)
  }

  const overflow = (now: number) => {
    if (queue.size <= maxPending) return
    const oldest = find(queue, ([key]) => !sending.has(key))
    if (oldest === undefined) return
    const [key, { first, second }] = oldest
    for (const { notification } of [first, ...(second === undefined ? [] : [second])]) {
      bury(notification, "overflow", `More than ${maxPending} events were waiting for the sink.`, now)
      miss(notification)
    }
    queue.delete(key)
  }

  return {
    /** The keys of all events that wait. */
    keys: () => Array.from(queue.keys()),
    /** When the next notification of an event is due; `undefined` if none waits. */
    dueAt: (key: string): number | undefined => queue.get(key)?.first.notBefore,
    /** The level at which the sink has an event open, or may have it open; the highest one if unknown. */
    openLevel: (key: string): Level | undefined => {
      const entry = queue.get(key)
      const sent = entry?.isAttempted === true ? [entry.first, entry.second ?? entry.first] : []
      const isOpen = sent.reduce<waiting.IsOpen>(
        (isOpen, { notification }) => waiting.isOpenAfter(isOpen, notification),
        known.get(key)?.isOpen,
      )
      return isOpen === true || isOpen === null ? (openIn.get(key)?.level ?? "Critical") : undefined
    },
    /**
     * Adds a notification, unless it was the last one, or is a withdrawal from one of several subscriptions. Without a time, it is added only if it
     * closes an event whose notification was not sent yet. Returns whether the state changed.
     */
    accept: (notification: Notification, notBefore: number | undefined, now: number): boolean => {
      const { id, key, state } = notification
      const isTracked = track(notification, notBefore !== undefined)
      if (state === "withdrawn" && openIn.has(key)) return isTracked
      const entry = queue.get(key)
      const lastId = entry === undefined ? known.get(key)?.id : waiting.last(entry).id
      const isUnsent = entry !== undefined && !entry.isAttempted
      if (lastId === id || (notBefore === undefined && !(isUnsent && isClosing(state)))) return isTracked
      const pending = { notification, notBefore: notBefore ?? Infinity }
      queue.set(key, waiting.add(entry, known.get(key)?.isOpen, pending))
      overflow(now)
      return true
    },
    /** The notification to send now; `undefined` if none waits. */
    begin: (key: string, now: number): Notification | undefined => {
      const entry = queue.get(key)
      if (entry === undefined) return undefined
      const next = waiting.next(entry, known.get(key)?.isOpen, now)
      queue.set(key, next)
      sending.add(key)
      return next.first.notification
    },
    succeed: (key: string): void => {
      const notification = advance(key)
      if (notification === undefined) return
      remember(notification, waiting.isOpenAfter(known.get(notification.key)?.isOpen, notification))
    },
    postpone: (key: string): void => {
      sending.delete(key)
    },
    giveUp: (key: string, reason: DeadLetter["reason"], detail: string, now: number): void => {
      const notification = advance(key)
      if (notification === undefined) return
      bury(notification, reason, detail, now)
      miss(notification)
    },
    deadLetters: (): ReadonlyArray<DeadLetter> => Array.from(deadLetters.values()),
    /**
     * Moves dead letters back to the queue, to send them again unchanged. Skips those of an event that has a later notification: the sink would
     * show an old state. Returns what it moves.
     */
    requeue: (ids: ReadonlySet<string>, now: number): ReadonlyArray<Notification> => {
      const latestFirst = Array.from(deadLetters.values()).toReversed()
      const moved = latestFirst.flatMap(({ notification }) => {
        const { id, key } = notification
        const isLast = !queue.has(key) && (known.get(key)?.id ?? id) === id
        if (!ids.has(id) || !isLast) return []
        deadLetters.delete(id)
        queue.set(key, { first: { notification, notBefore: now }, isAttempted: true })
        return [notification]
      })
      overflow(now)
      return moved
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
      `{"delivery":1,"waiting":${queue.text()},"known":${known.text()},"deadLetters":${deadLetters.text()},"openIn":${openIn.text()}}`,
  }
}
