/** Events as table rows and as CSV records. */
import * as Format from "../output/Format.js"
import * as Labels from "@vigil/health-report/Labels"
import * as Severity from "@vigil/health-report/Severity"
import type { AnyEvent } from "./AnyEvent.js"

const services = (event: AnyEvent) => Labels.services(event).join(", ")
const regions = (event: AnyEvent) => Labels.regions(event).join(", ")

export const shape: Format.Shape<AnyEvent> = Format.shape<AnyEvent>({
  columns: [
    { heading: "TRACKING ID", cell: ({ name }) => name },
    { heading: "TYPE", hideOrder: 3, cell: ({ properties }) => properties?.eventType },
    { heading: "LEVEL", hideOrder: 5, color: Severity.color, cell: Severity.level },
    { heading: "STATUS", cell: ({ properties }) => properties?.status },
    { heading: "TITLE", minWidth: 20, cell: ({ properties }) => properties?.title },
    { heading: "SERVICES", minWidth: 12, hideOrder: 1, cell: services },
    { heading: "REGIONS", minWidth: 12, hideOrder: 2, cell: regions },
    { heading: "UPDATED (UTC)", hideOrder: 4, cell: ({ properties }) => Labels.minute(properties?.lastUpdateTime) },
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
