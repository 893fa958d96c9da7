/** Events as table rows and as CSV records. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Option from "effect/Option"
import * as Format from "../output/Format.js"
import type * as TerminalText from "../output/TerminalText.js"
import * as Labels from "../report/Labels.js"
import * as Severity from "./Severity.js"
import * as Time from "../Time.js"
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

export const shape: Format.Shape<AnyEvent> = Format.shape<AnyEvent>({
  columns: [
    { heading: "TRACKING ID", cell: ({ name }) => name },
    { heading: "TYPE", hideOrder: 3, cell: ({ properties }) => properties?.eventType },
    { heading: "LEVEL", hideOrder: 5, color, cell: Severity.level },
    { heading: "STATUS", cell: ({ properties }) => properties?.status },
    { heading: "TITLE", minWidth: 20, cell: ({ properties }) => properties?.title },
    { heading: "SERVICES", minWidth: 12, hideOrder: 1, cell: services },
    { heading: "REGIONS", minWidth: 12, hideOrder: 2, cell: regions },
    { heading: "UPDATED (UTC)", hideOrder: 4, cell: ({ properties }) => time(properties?.lastUpdateTime) },
  ],
  fields: {
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
  },
  json: (event) => event,
})
