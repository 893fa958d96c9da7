/** Events as table rows and as CSV records. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Format from "../output/Format.js"
import type * as TerminalText from "../output/TerminalText.js"
import * as Labels from "../report/Labels.js"
import * as Severity from "./Severity.js"
import * as Time from "./Time.js"
import type { AnyEvent } from "./AnyEvent.js"

const colors: Readonly<Record<string, TerminalText.Color>> = {
  Critical: "red",
  Error: "red",
  Warning: "yellow",
  Informational: "dim",
}

export const color = (level: string): TerminalText.Color | undefined =>
  colors[OpenEnum.find(Enumerations.EventLevel, level) ?? ""]

const services = (event: AnyEvent) => Labels.services(event).join(", ")
const regions = (event: AnyEvent) => Labels.regions(event).join(", ")

/** To the minute, in UTC. A timestamp without an instant stays as sent. */
export const time = (timestamp: Timestamp.Timestamp | null | undefined): string =>
  Option.match(Timestamp.instant(timestamp), {
    onNone: () => timestamp ?? "",
    onSome: Time.minute,
  })

type Definition = Format.Definition<AnyEvent>

/** At less than 60 cells for titles, the others shrink or hide; the tracking ID, the level and the title stay. */
const columns: Definition["columns"] = [
  { heading: "TRACKING ID", field: "trackingId", cell: ({ name }) => name },
  { heading: "TYPE", field: "eventType", minWidth: 8, hideOrder: 3, cell: ({ properties }) => properties?.eventType },
  { heading: "LEVEL", field: "eventLevel", color, cell: Severity.level },
  { heading: "STATUS", field: "status", hideOrder: 6, cell: ({ properties }) => properties?.status },
  {
    heading: "TITLE",
    field: "title",
    minWidth: 60,
    hideOrder: 5,
    leastWidth: 24,
    cell: ({ properties }) => properties?.title,
  },
  { heading: "SERVICES", field: "services", minWidth: 12, hideOrder: 2, cell: services },
  { heading: "REGIONS", field: "regions", minWidth: 12, hideOrder: 1, cell: regions },
  {
    heading: "UPDATED (UTC)",
    field: "lastUpdateTime",
    hideOrder: 4,
    cell: ({ properties }) => time(properties?.lastUpdateTime),
  },
]

export const fields: Definition["fields"] = {
  id: ({ id }) => id,
  trackingId: ({ name }) => name,
  eventType: ({ properties }) => properties?.eventType,
  eventSource: ({ properties }) => properties?.eventSource,
  eventLevel: Severity.level,
  status: ({ properties }) => properties?.status,
  title: ({ properties }) => properties?.title,
  summary: ({ properties }) => properties?.summary,
  services,
  regions,
  impactStartTime: ({ properties }) => properties?.impactStartTime,
  impactMitigationTime: ({ properties }) => properties?.impactMitigationTime,
  lastUpdateTime: ({ properties }) => properties?.lastUpdateTime,
  priority: ({ properties }) => properties?.priority,
}

/** An event, and the subscriptions whose lists have it. */
export interface Row {
  readonly event: AnyEvent
  readonly subscriptions: ReadonlyArray<string>
}

/** A list of events. `name`: that of a first column with the subscriptions. */
export const definition = (name: "subscription" | "subscriptions" | undefined): Format.Definition<Row> => {
  const subscriptions = ({ subscriptions }: Row) => subscriptions.join(", ")
  const first = name && { heading: name.toUpperCase(), field: name, minWidth: 8, cell: subscriptions }
  return {
    columns: [
      ...(first === undefined ? [] : [first]),
      ...columns.map((column) => ({ ...column, cell: ({ event }: Row) => column.cell(event) })),
    ],
    fields: {
      ...(name && { [name]: subscriptions }),
      ...Record.map(
        fields,
        (field) =>
          ({ event }: Row) =>
            field(event),
      ),
    },
  }
}
