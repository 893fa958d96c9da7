/** The lists of a service group, a preview of the public service: events that may be relevant to its direct members, and their availability. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Effect from "effect/Effect"
import { type Context, list, type ListCall, listQuery, maker, query, skipToken } from "./healthCall.js"
import * as errors from "./healthErrors.js"
import { showCurrent } from "./healthStatuses.js"
import { inList } from "./view.js"
import { eventsOfServiceGroup, ofServiceGroup, serviceGroup } from "./world/lookup.js"

const version = "2026-08-01-preview"

const groupQuery = { ...query, [skipToken]: listQuery[skipToken] }

type Call = Context &
  Pick<ListCall, "target"> & {
    readonly params: Readonly<Record<string, string>>
    readonly query: (name: keyof typeof groupQuery) => string | null
  }

/** Without `$filter`. */
const listOf = (call: Call): ListCall => ({
  ...call,
  query: (name) => (name === skipToken || name === "api-version" ? call.query(name) : null),
})

const find = Effect.fnUntraced(function* ({ params, world, ...call }: Call) {
  if (call.version !== version) return yield* errors.unsupportedVersion([version])
  // The service does not tell whether a group exists.
  return serviceGroup(world, params["serviceGroupName"] ?? "") ?? (yield* errors.noPreview)
})

const types = new Set(["ServiceIssue", "PlannedMaintenance", "HealthAdvisory"])

type Listed = ReturnType<typeof eventsOfServiceGroup>[number]

const isListed = ({ event }: Listed): boolean => types.has(event.properties?.eventType ?? "")

/** Records have the ID of their subscription. Planned maintenance has its own fields. */
const show =
  (vendor: string) =>
  ({ event, resources, subscription }: Listed) => {
    const shown = inList(event, version, vendor)
    const isMaintenance = event.properties?.eventType === "PlannedMaintenance"
    const ids = resources.filter((uri) => uri.startsWith(`/subscriptions/${subscription}/`)).map((uri) => `'${uri}'`)
    const maintenance = {
      maintenanceId: `M-${event.name}`,
      maintenanceType: "Planned",
      argQuery: `Resources | where id in (${ids.join(", ")})`,
    }
    return {
      ...shown,
      id: `/subscriptions/${subscription}${shown.id}`,
      type: `${vendor}.ResourceHealth/events`,
      properties: { ...shown.properties, ...(isMaintenance ? maintenance : {}) },
    }
  }

export const operations = (vendor: string, provider: string) => {
  const path = `/providers/Microsoft.Management/serviceGroups/:serviceGroupName${provider}`
  return [
    maker("events")({
      name: "listByServiceGroup",
      summary: "List the events of a service group",
      description: "The events that may be relevant to its direct members, once for each subscription. A preview.",
      path: `${path}/events`,
      query: groupQuery,
      success: EventsPage.schema(version, { vendor }),
      errors: [403],
      handle: (call) =>
        Effect.flatMap(find(call), (group) =>
          list(listOf(call), eventsOfServiceGroup(call.world, group).filter(isListed), show(vendor)),
        ),
    }),
    maker("availability")({
      name: "listStatusesByServiceGroup",
      summary: "List the availability of the resources of a service group",
      description: "The current status of each resource of its direct members, without child resources. A preview.",
      path: `${path}/availabilityStatuses`,
      query: groupQuery,
      success: AvailabilityStatus.StatusesPage,
      errors: [403],
      handle: (call) =>
        Effect.flatMap(find(call), (group) =>
          list(listOf(call), ofServiceGroup(call.world, group), (one) => showCurrent(call.world, one)),
        ),
    }),
  ]
}
