/** An entry of a list of events, be it an event or not, and how it is printed. */
import type * as Listing from "@vigil/health-client/Listing"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import type { Shape } from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as EventTable from "./EventTable.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type EventPage = Listing.EventPage<ApiVersion.ApiVersion>

/** What stood in the list: `event` is missing where it is none. `sent` is all of it. */
export interface Entry {
  readonly event: AnyEvent | undefined
  readonly sent: unknown
}

/** An event as an entry. */
export const of = (event: AnyEvent): Entry => ({ event, sent: event })

/** Everything that stood on the page, in its order. */
export const ofPage = ({ invalid, items }: EventPage): ReadonlyArray<Entry> => {
  const entries = items.map(of)
  for (const { index, raw } of invalid) entries.splice(index, 0, { event: undefined, sent: raw })
  return entries
}

/** Says which entries of a page are no events. */
export const warn = ({ invalid }: EventPage): Effect.Effect<void, never, Output> =>
  Effect.flatMap(Output, ({ note }) =>
    Effect.forEach(
      invalid,
      ({ index, path, reason }) =>
        note(`vigil: entry ${index} of a page is no event: ${path === "" ? "it" : path} ${reason}`),
      { discard: true },
    ),
  )

/** Entries as rows, records and JSON. What is no event is in the JSON alone, as it was sent. */
export const shape: Shape<Entry> = {
  columns: EventTable.columns,
  row: ({ event }) => event && EventTable.row(event),
  fields: EventTable.fields,
  record: ({ event }) => event && EventTable.record(event),
  json: ({ sent }) => sent,
}
