/** `vigil events availability`: how long services had issues in each region. */
import * as HealthAvailability from "@vigil/health-report/Availability"
import * as Severity from "@vigil/health-text/Severity"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import * as Format from "../output/Format.js"
import { Output, plural } from "../output/Output.js"
import type * as Printable from "../output/Printable.js"
import * as EventSelection from "../lists/EventSelection.js"
import * as EventLists from "../lists/EventLists.js"

/** In cells. */
const chartWidth = 10

/** Short, so that the table fits 80 cells. */
const headings = { Critical: "CRITICAL", Error: "ERROR", Warning: "WARNING", Informational: "INFO", Other: "OTHER" }

type Row = HealthAvailability.Row

/** The table has the levels that occur. The first row has the longest time, which is a full bar. */
const definitionOf = (rows: ReadonlyArray<Row>): Printable.Definition<Row> => {
  const longest = rows[0]?.total ?? 1
  const levels = Severity.all.filter((level) => rows.some(({ minutes }) => minutes[level] > 0))
  return {
    columns: [
      { heading: "SERVICE", minWidth: 12, cell: ({ service }) => service || "(no service)" },
      { heading: "REGION", minWidth: 12, cell: ({ region }) => region || "(no region)" },
      { heading: "WITHOUT ISSUE", cell: ({ share }) => HealthAvailability.percentage(share) },
      ...levels.map((level) => ({
        heading: headings[level],
        hideOrder: Severity.all.length - Severity.rank(level),
        cell: ({ minutes }: Row) => (minutes[level] === 0 ? "" : HealthAvailability.count(minutes[level])),
      })),
      { heading: "TIME", hideOrder: 2.5, cell: ({ total }) => "█".repeat(Math.ceil((total / longest) * chartWidth)) },
    ],
    fields: {
      service: ({ service }) => service,
      region: ({ region }) => region,
      ...Object.fromEntries(
        Severity.all.map((level) => [`minutes${level}`, ({ minutes }: Row) => Math.round(minutes[level])]),
      ),
      minutesTotal: ({ total }) => Math.round(total),
      shareWithoutIssue: ({ share }) => share,
    },
  }
}

export const command = Command.make({
  description: `Show how many minutes each service had issues in each region in the last 90 days, or since --since, and the share of the time without one. ${EventSelection.description}`,
  examples: ["vigil events availability --sandbox", "vigil events availability --sandbox --since 30d --output csv"],
  flags: {
    ...EventLists.flags,
    output: Format.flag,
  },
  run: function* ({ output: format, ...given }) {
    const { note } = yield* Output
    const { end, snapshot, subject } = yield* EventLists.read(given)
    const { rows, undated } = HealthAvailability.make(snapshot)
    yield* Format.list(format, definitionOf(rows), Stream.make(rows))
    const remark = undated === 0 ? "" : `; ${plural(undated, "impact")} without a start or an end not counted`
    yield* note(EventLists.summary({ snapshot, subject }, given, remark))
    yield* end
  },
})
