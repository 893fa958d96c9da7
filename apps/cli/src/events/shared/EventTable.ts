/** Events as table rows and as CSV records. */
import * as Labels from "@vigil/health-text/Labels"
import * as Severity from "@vigil/health-text/Severity"
import type { AnyEvent } from "../../connection/AnyEvent.js"
import * as Printable from "../../output/Printable.js"

/** In a narrow terminal, columns hide in this order: regions, services, type, updated, status. The tracking ID, the level and the title stay. */
const columns: Printable.Definition<AnyEvent>["columns"] = [
  { heading: "TRACKING ID", field: "trackingId" },
  { heading: "TYPE", field: "eventType", hideOrder: 3 },
  { heading: "LEVEL", field: "eventLevel", minWidth: 13, hideOrder: 5, leastWidth: 8, color: Severity.color },
  { heading: "STATUS", field: "status", hideOrder: 7 },
  { heading: "TITLE", field: "title", minWidth: 48, hideOrder: 4, leastWidth: 28 },
  { heading: "SERVICES", field: "services", minWidth: 18, hideOrder: 2 },
  { heading: "REGIONS", field: "regions", minWidth: 18, hideOrder: 1 },
  {
    heading: "UPDATED (UTC)",
    field: "lastUpdateTime",
    hideOrder: 6,
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

/** An event, and the subscriptions whose lists have it. */
export interface Row {
  readonly event: AnyEvent
  readonly subscriptions: ReadonlyArray<string>
}

/** A list of events. `name`: that of a first column with the subscriptions. Tables have their labels, and CSV their IDs. */
export const definition = (
  name: "subscription" | "subscriptions" | undefined,
  label: (id: string) => string,
): Printable.Definition<Row> => {
  const events = Printable.mapInput({ columns, fields }, ({ event }: Row) => event)
  if (name === undefined) return events
  const subscriptions = ({ subscriptions }: Row) => subscriptions.join(", ")
  const labels = ({ subscriptions }: Row) => subscriptions.map(label).join(", ")
  const first = { heading: name.toUpperCase(), field: name, minWidth: 8, cell: labels }
  return { columns: [first, ...events.columns], fields: { [name]: subscriptions, ...events.fields } }
}
