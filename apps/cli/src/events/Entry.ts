/** How events are printed: the entries of a list, and one event. */
import * as Effect from "effect/Effect"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import type { AnyEvent, EventPage } from "./AnyEvent.js"
import * as EventTable from "./EventTable.js"
import type * as EventText from "./EventText.js"

/** An entry of a list. `event` is missing if the entry is invalid; `sent` is the raw value. */
export interface Entry {
  readonly event: AnyEvent | undefined
  readonly sent: unknown
}

export const fromEvent = (event: AnyEvent): Entry => ({ event, sent: event })

/** All entries of a page, valid or not, in order. */
export const fromPage = ({ invalid, items }: EventPage): ReadonlyArray<Entry> => {
  const entries = items.map(fromEvent)
  for (const { index, raw } of invalid) entries.splice(index, 0, { event: undefined, sent: raw })
  return entries
}

export const countEvents = (entries: ReadonlyArray<Entry>): number =>
  entries.filter(({ event }) => event !== undefined).length

export const warn = ({ invalid }: EventPage): Effect.Effect<void, never, Output.Output> =>
  Effect.forEach(
    invalid,
    ({ index, path, reason }) =>
      Output.note(`vigil: entry ${index} of a page is not an event: ${path === "" ? "it" : path} ${reason}`),
    { discard: true },
  )

const { columns, fields, record, row } = EventTable.shape

/** Tables and CSV leave out invalid entries. JSON and YAML print them as sent. */
export const shape: Format.Shape<Entry> = {
  columns,
  row: ({ event }) => event && row(event),
  fields,
  record: ({ event }) => event && record(event),
  json: ({ sent }) => sent,
}

/** Loaded lazily: it includes an HTML parser. */
const text = Effect.promise(() => import("./EventText.js"))

/** Prints one event. */
export const print = (format: Format.Format, event: AnyEvent, more: EventText.More = {}) => {
  const cells = record(event) ?? []
  return Effect.flatMap(text, (EventText) =>
    Format.one(format, {
      lines: (width, color) => EventText.lines(event, { width, color, ...more }),
      record: Object.fromEntries(fields.map((field, index) => [field, cells[index]])),
      json: event,
    }),
  )
}
