/** The metrics of resources: their states. */
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Arr from "effect/Array"
import * as Order from "effect/Order"
import * as Metrics from "./Metrics.js"
import { type Family, gauge } from "./MetricsText.js"
import type * as State from "./State.js"

/** Each resource is a time series. Those that are not available come first. */
const maxResources = 1_000

type Status = AvailabilityStatus.AvailabilityStatus

const labelsOf = (status: Status) => ({
  group: Metrics.shortName(AvailabilityStatus.resourceGroup(status) ?? ""),
  type: Metrics.shortName(AvailabilityStatus.resourceType(status) ?? ""),
  name: Metrics.shortName(AvailabilityStatus.resourceName(status) ?? ""),
  location: Metrics.shortName(status.location ?? ""),
  state: ResourceStates.stateOf(status),
  cause: AvailabilityStatus.isAvailable(status) ? "" : (AvailabilityStatus.cause(status) ?? "unknown"),
})

/** Of the last complete lists. */
export const resources = (state: State.State): ReadonlyArray<Family> => {
  const read = state.resources.flatMap((list) =>
    list.read === undefined ? [] : [{ labels: { subscription: list.list.id }, statuses: list.read.statuses }],
  )
  const all = read.flatMap(({ labels, statuses }) => statuses.map((status) => ({ labels, status })))
  const shown = Arr.sortWith(all, ({ status }) => ResourceStates.rank(status), Order.Number).slice(0, maxResources)
  return [
    gauge(
      "vigil_resource_state",
      "Resources by state: 1, or the number of those with the same labels. Only the first 1,000, those that are not available first. cause: platform, maintenance, customer or unknown; empty if it is available.",
      Metrics.count(shown.map(({ labels, status }) => ({ ...labels, ...labelsOf(status) }))),
    ),
    gauge(
      "vigil_resources",
      "All resources by state.",
      read.flatMap(({ labels, statuses }) => {
        const byState = Map.groupBy(statuses, ResourceStates.stateOf)
        return ResourceStates.all.map((state) => ({
          labels: { ...labels, state },
          value: byState.get(state)?.length ?? 0,
        }))
      }),
    ),
  ]
}
