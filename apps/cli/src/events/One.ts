/** How a command prints one event. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import * as Format from "../output/Format.js"
import * as EventTable from "./EventTable.js"

/** Loaded when there is an event: it reads HTML. */
const text = Effect.promise(() => import("./EventText.js"))

/** Prints it: as text for people, or as the service sent it. `details` is what to run for the texts that are withheld. */
export const print = (
  format: Format.Format,
  event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>,
  details?: string,
) => {
  const record = EventTable.record(event)
  return Effect.flatMap(text, (EventText) =>
    Format.one(format, {
      lines: (width, colour) => EventText.lines(event, { width, colour, details }),
      record: Object.fromEntries(EventTable.fields.map((field, index) => [field, record[index]])),
      json: event,
    }),
  )
}
