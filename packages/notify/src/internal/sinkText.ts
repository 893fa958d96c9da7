/** The texts that are stored of a sink: its whole state, or what changed since. */
import type { SinkEvent, State } from "./sinkState.js"

/** What is stored of a state. */
export interface Snapshot extends Pick<State, "deadLetters" | "isNew" | "window"> {
  readonly events: ReadonlyMap<string, SinkEvent>
}

export const snapshot = ({ deadLetters, events, isNew, window }: State): Snapshot => ({
  deadLetters,
  events: new Map(events),
  isNew,
  window,
})

/** Few events are new in a text. */
const texts = new WeakMap<object, string>()

const textOf = (value: object): string => {
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

const listOf = (values: Iterable<object>): string => `[${Array.from(values, textOf).join()}]`

interface Saved {
  readonly id: string
  readonly savedAt: number
}

const head = ({ isNew, window }: Pick<State, "isNew" | "window">, saved: Saved): string =>
  JSON.stringify({ ...saved, isNew, window }).slice(1, -1)

export const encode = (snapshot: Snapshot, saved: Saved): string =>
  `{"delivery":4,${head(snapshot, saved)},"events":${listOf(snapshot.events.values())},"deadLetters":${listOf(snapshot.deadLetters)}}`

/** What changed since a snapshot. */
export const encodeChanges = (state: State, since: Snapshot, saved: Saved): string => {
  const changed = Array.from(state.events.values()).filter((event) => since.events.get(event.key) !== event)
  const removed = Array.from(since.events.keys()).filter((key) => !state.events.has(key))
  const letters = state.deadLetters === since.deadLetters ? "" : `,"deadLetters":${listOf(state.deadLetters)}`
  return `{${head(state, saved)},"events":${listOf(changed)},"removed":${JSON.stringify(removed)}${letters}}`
}
