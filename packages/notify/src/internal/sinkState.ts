/** The state of a sink: its events with what waits for it, and its dead letters. */
import * as Schema from "effect/Schema"
import { DeadLetter } from "../DeadLetter.js"
import type { Level } from "../Notification.js"
import * as sinkEvent from "./sinkEvent.js"
import type { SinkEvent } from "./sinkEvent.js"

/** How many events a sink remembers. */
const maxEvents = 1_000

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

export const isRepeated = ({ repeatEvery = Infinity }: Pick<State, "repeatEvery">): boolean => repeatEvery < Infinity

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
export const put = (state: State, changed: ReadonlyArray<SinkEvent>, isLast = false): State => {
  const events = new Map(state.events)
  for (const event of changed) {
    if (isLast) events.delete(event.key)
    events.set(event.key, event)
  }
  return { ...state, events }
}

export const change = (state: State, key: string, apply: (event: SinkEvent) => SinkEvent): State => {
  const event = state.events.get(key)
  return event === undefined ? state : put(state, [apply(event)])
}

/** Removes events that do not wait, closed ones first. */
export const forget = (state: State): State => {
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

/** When the next notification of an event is due. */
export const timeOf = ({ window }: State, { first, joins, retryAt = 0, summary }: SinkEvent): number | undefined => {
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

/** How many messages wait, and how many of them wait for a retry. */
export const count = ({ events }: State) => {
  const waiting = Array.from(events.values()).filter(
    ({ first, summary }) => first !== undefined && summary === undefined,
  )
  const retrying = waiting.filter(({ isAttempted, isSending }) => isAttempted === true && isSending !== true)
  return { pending: waiting.length, retrying: retrying.length }
}
