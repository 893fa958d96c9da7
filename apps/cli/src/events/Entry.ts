/** How events are printed: the entries of a list, and one event. */
import type * as Listing from "@vigil/health-client/Listing"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as EventTable from "./EventTable.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type EventPage = Listing.EventPage<ApiVersion.ApiVersion>

/** An entry of a list. `event` is missing if the entry is invalid; `sent` is the raw value. */
export interface Entry {
  readonly event: AnyEvent | undefined
  readonly sent: unknown
}

export const of = (event: AnyEvent): Entry => ({ event, sent: event })

/** All entries of a page, valid or not, in order. */
export const ofPage = ({ invalid, items }: EventPage): ReadonlyArray<Entry> => {
  const entries = items.map(of)
  for (const { index, raw } of invalid) entries.splice(index, 0, { event: undefined, sent: raw })
  return entries
}

/** Notes the invalid entries of a page. */
export const warn = ({ invalid }: EventPage): Effect.Effect<void, never, Output> =>
  Effect.flatMap(Output, ({ note }) =>
    Effect.forEach(
      invalid,
      ({ index, path, reason }) =>
        note(`vigil: entry ${index} of a page is no event: ${path === "" ? "it" : path} ${reason}`),
      { discard: true },
    ),
  )

/** Tables and CSV leave out invalid entries. JSON and YAML print them as sent. */
export const shape: Format.Shape<Entry> = {
  columns: EventTable.columns,
  row: ({ event }) => event && EventTable.row(event),
  fields: EventTable.fields,
  record: ({ event }) => event && EventTable.record(event),
  json: ({ sent }) => sent,
}

/** Loaded lazily: it includes an HTML parser. */
const text = Effect.promise(() => import("./EventText.js"))

/** Prints one event. `details` is the command that prints withheld texts. */
export const print = (format: Format.Format, event: AnyEvent, details?: string) => {
  const record = EventTable.record(event)
  return Effect.flatMap(text, (EventText) =>
    Format.one(format, {
      lines: (width, color) => EventText.lines(event, { width, color, details }),
      record: Object.fromEntries(EventTable.fields.map((field, index) => [field, record[index]])),
      json: event,
    }),
  )
}
