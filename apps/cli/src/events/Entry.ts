/** The entries of a list, valid or not, and how they and one event are printed. */
import type * as Listing from "@vigil/health-client/Listing"
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.js"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import type { AnyEvent } from "./AnyEvent.js"
import * as EventTable from "./EventTable.js"

/** An entry of a list. `item` is missing if the entry is invalid; `sent` is the raw value. */
export interface Entry<A = AnyEvent> {
  readonly item: A | undefined
  readonly sent: unknown
}

export const fromItem = <A>(item: A): Entry<A> => ({ item, sent: item })

/** All entries of a page, valid or not, in order. */
export const fromPage = <A>({
  invalid,
  items,
  offsets,
}: Pick<Listing.Page<A>, "invalid" | "items" | "offsets">): ReadonlyArray<Entry<A>> => {
  const entries: Array<Entry<A>> = items.map(fromItem)
  for (const [before, { raw }] of invalid.entries())
    entries.splice((offsets[before] ?? 0) + before, 0, { item: undefined, sent: raw })
  return entries
}

/** How many entries are valid, and how many are not. */
export const count = (entries: ReadonlyArray<Entry<unknown>>) => {
  const valid = entries.filter(({ item }) => item !== undefined).length
  return { valid, invalid: entries.length - valid }
}

/** Notes the invalid entries. `noun` says what they are not. */
export const warn = ({ invalid }: Pick<Listing.Page<unknown>, "invalid">, noun = "an event") =>
  Effect.forEach(
    invalid,
    (entry) => Output.note(`vigil: entry ${entry.index} of a page is not ${noun}: ${Failure.describeEntry(entry)}`),
    { discard: true },
  )

/** Tables and CSV leave out invalid entries. JSON prints them as sent. */
export const toShape = <A>({ columns, fields, record, row }: Format.Shape<A>): Format.Shape<Entry<A>> => ({
  columns,
  row: ({ item }) => (item === undefined ? undefined : row(item)),
  fields,
  record: ({ item }) => (item === undefined ? undefined : record(item)),
  json: ({ sent }) => sent,
})

export const shape: Format.Shape<Entry> = toShape(EventTable.shape)

/** Loaded lazily: it includes an HTML parser. */
const text = Effect.promise(() => import("@vigil/health-report/EventText"))

/** Prints one event. `details`: the command that prints withheld texts. */
export const print = (format: Format.Format, event: AnyEvent, details?: string) => {
  const { fields, record } = EventTable.shape
  const cells = record(event) ?? []
  return Effect.flatMap(text, (EventText) =>
    Format.one(format, {
      lines: (width, color) => EventText.lines(event, { width, color, details }),
      record: Object.fromEntries(fields.map((field, index) => [field, cells[index]])),
      json: event,
    }),
  )
}
