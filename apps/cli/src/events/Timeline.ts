/** `vigil events timeline`: impact over time, drawn in the terminal. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Flag from "../Flag.js"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as Drawing from "../timeline/Drawing.js"
import * as Lanes from "../timeline/Lanes.js"
import * as Progress from "./Progress.js"
import * as Reading from "./Reading.js"

const usual = 80

const record = ({ event, interval, region, service }: Lanes.Impact) => ({
  service,
  region,
  start: Option.getOrNull(Option.map(interval, ({ start }) => DateTime.formatIso(start))),
  end: Option.getOrNull(
    Option.map(
      Option.flatMap(interval, ({ end }) => end),
      DateTime.formatIso,
    ),
  ),
  trackingId: event.name ?? null,
  status: event.properties?.status ?? null,
})

const shape: Format.Shape<Lanes.Impact> = {
  columns: [],
  row: () => undefined,
  fields: ["service", "region", "start", "end", "trackingId", "status"],
  record: (impact) => Object.values(record(impact)),
  json: record,
}

export const command = Command.make({
  name: "timeline",
  description:
    "Draw when each service was impacted in the last thirty days, or since --since. Formats other than tables list each impact of a service in a region.",
  examples: ["vigil events timeline --sandbox", "vigil events timeline --sandbox --since 12h --events"],
  flags: {
    ...Reading.flags,
    events: Flag.boolean("Draw a bar for each event too, below its service"),
    output: Format.flag,
  },
  run: ({ events: byEvent, output: format, ...given }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const output = yield* Output
        const { events, from, now } = yield* Reading.read(given)
        const impacts = events.flatMap(Lanes.impactsOf)
        if (!Format.isTable(format)) {
          yield* Format.list(format, shape, Stream.make(impacts))
          return
        }
        const period = Lanes.period(from, now, impacts)
        const rows = Lanes.rows(period, impacts)
        const { color, width = usual } = output
        yield* output.data(Drawing.render(period, rows, { width, color, events: byEvent }))
        const undated = impacts.filter(({ interval }) => Option.isNone(interval)).length
        yield* output.note(
          `${Progress.plural(events.length, "event")}${undated === 0 ? "" : `; ${Progress.plural(undated, "impact")} without a start not drawn`}`,
        )
      }),
    ),
})
