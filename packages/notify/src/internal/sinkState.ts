/** The state of a sink: its events with what waits for it, and its dead letters. Only its queue changes it, by transitions. */
import * as Schema from "effect/Schema"
import { DeadLetter } from "../DeadLetter.js"
import type { Level, Notification } from "../Notification.js"
import * as sinkEvent from "./sinkEvent.js"
import type { SinkEvent } from "./sinkEvent.js"

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
  /** In milliseconds; may be infinite. */
  readonly repeatEvery: number | undefined
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

export const isRepeated = ({ repeatEvery = Infinity }: Pick<State, "repeatEvery">): boolean => repeatEvery < Infinity

export const load = (
  stored: typeof Stored.Type,
  { now, ...settings }: Pick<State, "keepsEvents" | "repeatEvery" | "sink"> & { readonly now: number },
): State => {
  const events = stored.events.map((event): readonly [string, SinkEvent] => {
    const { first, joins, key } = event
    // A notification that was not due has not been attempted.
    const isAttempted = first !== undefined && joins !== true && first.notBefore <= now
    return [key, { ...event, isAttempted }]
  })
  return { ...settings, ...stored, events: new Map(events), deadLettered: 0, repeating: undefined, revision: 0 }
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
  return `{"delivery":2,"isNew":${isNew},"window":${JSON.stringify(window)},"events":${list(events.values())},"deadLetters":${list(deadLetters)}}`
}

/** When the next notification of an event is due. */
export const timeOf = ({ window }: State, { first, joins, retryAt = 0, summary }: SinkEvent): number | undefined => {
  if (first === undefined || summary !== undefined) return undefined
  return Math.max(first.notBefore, retryAt, joins === true ? (window?.until ?? 0) : 0)
}

/** The event whose notification is due first, and the time. */
export const next = (state: State) => {
  let best: { readonly event: SinkEvent; readonly at: number } | undefined
  for (const event of state.events.values()) {
    const isBusy = event.isSending === true || event.key === state.repeating
    const at = isBusy ? undefined : timeOf(state, event)
    if (at !== undefined && at < (best?.at ?? Infinity)) best = { event, at }
  }
  return best
}

/** An event of a removed subscription never closes. */
const maxRepeat = 30 * 24 * 60 * 60_000

/** The notification to repeat for an event. None, while a later one is due, or may have arrived. */
export const toRepeat = (state: State, key: string, now: number): Notification | undefined => {
  const event = state.events.get(key)
  if (event?.accepted === undefined || event.isAttempted === true) return undefined
  const isDue = (timeOf(state, event) ?? Infinity) <= now
  return isDue || now >= event.accepted.at + maxRepeat ? undefined : event.accepted.notification
}

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

/** The events with a message that waits. Those of a summary are one message. */
export const waiting = ({ events }: State): ReadonlyArray<SinkEvent> =>
  Array.from(events.values()).filter(({ first, summary }) => first !== undefined && summary === undefined)

/** How many messages wait, and how many of them wait for a retry. */
export const count = (state: State) => {
  const all = waiting(state)
  const retrying = all.filter(({ isAttempted, isSending }) => isAttempted === true && isSending !== true)
  return { pending: all.length, retrying: retrying.length }
}
