/** Events as table rows and as CSV records. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import * as Severity from "@vigil/health-text/Severity"
import * as Order from "effect/Order"
import type { AnyEvent } from "../../connection/AnyEvent.js"
import type * as Lists from "../../lists/Lists.js"
import * as Printable from "../../output/Printable.js"

type Column = Printable.Column<AnyEvent>

/** At 80 cells, the status and the time of the update hide, and with several subscriptions the titles and the types are short. */
const columns: ReadonlyArray<Column> = [
  { heading: "EVENT", field: "trackingId" },
  { heading: "TYPE", field: "eventType", minWidth: 12, tightWidth: 9, hideOrder: 5 },
  {
    heading: "LEVEL",
    field: "eventLevel",
    minWidth: 8,
    color: Severity.color,
    order: Order.mapInput(Order.Number, (event: AnyEvent) => Severity.rank(Severity.fromEvent(event))),
  },
  { heading: "STATUS", field: "status", hideOrder: 1 },
  { heading: "TITLE", field: "title", minWidth: 23, tightWidth: 16 },
  { heading: "SERVICES", field: "services", minWidth: 10, tightWidth: 10, hideOrder: 3 },
  { heading: "REGIONS", field: "regions", minWidth: 9, tightWidth: 9, hideOrder: 4 },
  {
    heading: "UPDATED (UTC)",
    field: "lastUpdateTime",
    hideOrder: 2,
    order: Order.mapInput(Timestamp.latestFirst, ({ properties }: AnyEvent) => properties?.lastUpdateTime),
    cell: ({ properties }) => Labels.minute(properties?.lastUpdateTime),
  },
]

export const fields: Printable.Fields<AnyEvent> = {
  id: ({ id }) => id,
  trackingId: ({ name }) => name,
  eventType: ({ properties }) => properties?.eventType,
  eventSource: ({ properties }) => properties?.eventSource,
  eventLevel: Severity.level,
  status: ({ properties }) => properties?.status,
  title: ({ properties }) => properties?.title,
  summary: ({ properties }) => properties?.summary,
  services: (event) => Labels.services(event).join(", "),
  regions: (event) => Labels.regions(event).join(", "),
  impactStartTime: ({ properties }) => properties?.impactStartTime,
  impactMitigationTime: ({ properties }) => properties?.impactMitigationTime,
  lastUpdateTime: ({ properties }) => properties?.lastUpdateTime,
  priority: ({ properties }) => properties?.priority,
}

/** An event, and whose lists have it. */
export interface Row {
  readonly event: AnyEvent
  readonly owners: ReadonlyArray<Lists.Owner>
}

const start: Column = {
  heading: "STARTS (UTC)",
  field: "impactStartTime",
  order: Order.mapInput(Order.flip(Timestamp.latestFirst), ({ properties }: AnyEvent) => properties?.impactStartTime),
  cell: ({ properties }) => Labels.minute(properties?.impactStartTime),
}

/** At 80 cells, the level hides, too, so that the services stay. */
const planned: ReadonlyArray<Column> = [
  ...columns.slice(0, -1).map((column) => (column.field === "eventLevel" ? { ...column, hideOrder: 2 } : column)),
  start,
]

/** A list of events. `isPlanned`: the last column has their start. `label`: of a subscription, if there are several, which are `count`. */
export const definition = (
  label: ((id: string) => string) | undefined,
  count: number,
  isPlanned: boolean,
): Printable.Definition<Row> => {
  const shown = isPlanned ? planned : columns
  const events = Printable.mapInput({ columns: shown, fields }, ({ event }: Row) => event)
  return Printable.withSubscription(events, ({ owners }) => owners, label, count)
}
