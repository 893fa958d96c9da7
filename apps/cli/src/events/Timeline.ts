/** `vigil events timeline`: impact over time, drawn in the terminal. */
import * as Timeline from "@vigil/health-report/Timeline"
import * as Coverage from "@vigil/health-verdict/Coverage"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import * as Format from "../output/Format.js"
import { UsageError } from "../flags/UsageError.js"
import { notePrefix, Output, plural } from "../output/Output.js"
import type * as Printable from "../output/Printable.js"
import * as EventSelection from "../lists/EventSelection.js"
import * as EventLists from "../lists/EventLists.js"

const defaultWidth = 80

const iso = (millis = Infinity) => (millis === Infinity ? null : new Date(millis).toISOString())

const definition: Printable.Definition<Timeline.Impact> = {
  columns: [],
  fields: {
    service: ({ service }) => service,
    region: ({ region }) => region,
    start: ({ interval }) => iso(interval?.start),
    end: ({ interval }) => iso(interval?.end),
    trackingId: ({ item }) => item.event.name,
    status: ({ item }) => item.event.properties?.status,
  },
}

export const command = Command.make({
  description: `Draw when each service was impacted in the last 90 days, or since --since. Formats other than tables list each impact of a service in a region. ${EventSelection.description}`,
  examples: ["vigil events timeline --sandbox", "vigil events timeline --sandbox --since 12h"],
  flags: {
    ...EventLists.flags,
    resources: EventLists.resources,
    output: Format.flag,
  },
  run: function* ({ output: format, ...given }) {
    const output = yield* Output
    if (given.resources && !Format.isTable(format))
      return yield* new UsageError("--resources requires --output table. For other formats, run vigil resources list.")
    const { end, snapshot, subject } = yield* EventLists.read(given)
    const impacts = Timeline.impacts(snapshot.events)
    if (!Format.isTable(format)) {
      yield* Format.list(format, definition, Stream.make(impacts))
      for (const gap of snapshot.gaps ?? []) yield* output.note(notePrefix() + Coverage.phrase(gap, String))
      return yield* end
    }
    const { color, width = defaultWidth } = output
    yield* output.data(Timeline.lines(snapshot, { width, color }))
    const undated = impacts.filter(({ interval }) => interval === undefined).length
    const remark = undated === 0 ? "" : `; ${plural(undated, "impact")} without a start not drawn`
    yield* output.note(EventLists.summary({ snapshot: { ...snapshot, resources: undefined }, subject }, given, remark))
    yield* end
  },
})
