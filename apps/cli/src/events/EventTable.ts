/** Events as table rows and as CSV records. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type * as Csv from "../output/Csv.js"
import type { Column } from "../output/Table.js"
import type * as TerminalText from "../output/TerminalText.js"
import * as Words from "../report/Words.js"
import * as Severity from "./Severity.js"

const colors: Readonly<Record<string, TerminalText.Color>> = {
  Critical: "red",
  Error: "red",
  Warning: "yellow",
  Informational: "dim",
}

export const color = (level: string): TerminalText.Color | undefined =>
  colors[OpenEnum.find(Enumerations.EventLevel, level) ?? ""]

export const columns: ReadonlyArray<Column> = [
  { heading: "TRACKING ID" },
  { heading: "TYPE", leaveOut: 3 },
  { heading: "LEVEL", leaveOut: 5, color },
  { heading: "STATUS" },
  { heading: "TITLE", least: 20 },
  { heading: "SERVICES", least: 12, leaveOut: 1 },
  { heading: "REGIONS", least: 12, leaveOut: 2 },
  { heading: "UPDATED (UTC)", leaveOut: 4 },
]

const distinct = (names: ReadonlyArray<string | null | undefined>) => Words.distinct(names).join(", ")

type Impact = HealthEvent.Properties<ApiVersion.ApiVersion>["impact"]

const services = (impact: Impact) => distinct((impact ?? []).map(({ impactedService }) => impactedService))

const regions = (impact: Impact) =>
  distinct((impact ?? []).flatMap((one) => (one.impactedRegions ?? []).map(({ impactedRegion }) => impactedRegion)))

/** To the minute, in UTC. A timestamp without an instant stays as sent. */
export const time = (timestamp: Timestamp.Timestamp | null | undefined): string =>
  Option.match(Timestamp.instant(timestamp), {
    onNone: () => timestamp ?? "",
    onSome: (instant) => DateTime.formatIso(instant).slice(0, 16).replace("T", " "),
  })

export const row = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>): ReadonlyArray<string> => {
  const { eventType, impact, lastUpdateTime, status, title } = event.properties ?? {}
  return [
    event.name ?? "",
    eventType ?? "",
    Severity.sent(event.properties) ?? "",
    status ?? "",
    title ?? "",
    services(impact),
    regions(impact),
    time(lastUpdateTime),
  ]
}

export const fields: ReadonlyArray<string> = [
  "id",
  "trackingId",
  "eventType",
  "eventSource",
  "eventLevel",
  "status",
  "title",
  "summary",
  "services",
  "regions",
  "impactStartTime",
  "impactMitigationTime",
  "lastUpdateTime",
  "priority",
]

export const record = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>): Csv.Row => {
  const properties = event.properties ?? {}
  const { impact } = properties
  return [
    event.id,
    event.name,
    properties.eventType,
    properties.eventSource,
    Severity.sent(properties),
    properties.status,
    properties.title,
    properties.summary,
    services(impact),
    regions(impact),
    properties.impactStartTime,
    properties.impactMitigationTime,
    properties.lastUpdateTime,
    properties.priority,
  ]
}
