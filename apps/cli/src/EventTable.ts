/** Events as a table: what an operator wants to know first. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Column } from "./Table.js"

/** The columns, in the order of `row`. */
export const columns: ReadonlyArray<Column> = [
  { heading: "TRACKING ID" },
  { heading: "TYPE", leaveOut: 3 },
  { heading: "LEVEL" },
  { heading: "STATUS" },
  { heading: "TITLE", least: 24 },
  { heading: "SERVICES", least: 12, leaveOut: 1 },
  { heading: "REGIONS", least: 12, leaveOut: 2 },
  { heading: "UPDATED (UTC)" },
]

const distinct = (names: ReadonlyArray<string | null | undefined>): string =>
  [...new Set(names.filter((name) => name !== null && name !== undefined && name !== ""))].join(", ")

/** To the minute, in UTC; the text itself where it has no instant. */
const time = (timestamp: Timestamp.Timestamp | null | undefined): string =>
  Option.match(Timestamp.instant(timestamp), {
    onNone: () => timestamp ?? "",
    onSome: (instant) => DateTime.formatIso(instant).slice(0, 16).replace("T", " "),
  })

/** An event as a row. */
export const row = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>): ReadonlyArray<string> => {
  const { eventLevel, eventType, impact, lastUpdateTime, level, status, title } = event.properties ?? {}
  return [
    event.name ?? "",
    eventType ?? "",
    eventLevel ?? level ?? "",
    status ?? "",
    title ?? "",
    distinct((impact ?? []).map(({ impactedService }) => impactedService)),
    distinct((impact ?? []).flatMap((one) => (one.impactedRegions ?? []).map(({ impactedRegion }) => impactedRegion))),
    time(lastUpdateTime),
  ]
}
