/** The metrics of resources: their states. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Arr from "effect/Array"
import * as Order from "effect/Order"
import * as PublicUrl from "../notify/shared/PublicUrl.js"
import type { Drawing } from "./Drawing.js"
import * as Metrics from "./Metrics.js"
import { type Family, gauge } from "./MetricsText.js"

/** Each resource is a time series. Those that are not available come first. */
const maxResources = 1_000

const labelsOf = ({ ownAction, state, status, verdict }: Assessment.Assessment) => ({
  group: Metrics.shortName(AvailabilityStatus.resourceGroup(status) ?? ""),
  type: Metrics.shortName(AvailabilityStatus.resourceType(status) ?? ""),
  name: Metrics.shortName(AvailabilityStatus.resourceName(status) ?? ""),
  location: Metrics.shortName(status.location ?? ""),
  state,
  cause: verdict === "none" ? "" : verdict,
  ...(ownAction === undefined ? {} : { own_action: "yes" }),
})

/** Of the last complete lists. With the URL of the page, those that are not available have a link. */
export const resources = ({ assessments, statuses: lists }: Drawing, publicUrl?: URL): ReadonlyArray<Family> => {
  let start = 0
  const read = lists.flatMap((list) => {
    const all = assessments.slice(start, (start += list.statuses.length))
    return Metrics.isRead(list) ? [{ labels: { subscription: list.subject }, all }] : []
  })
  const every = read.flatMap(({ all, labels }) => all.map((one) => ({ labels, one })))
  const shown = Arr.sort(
    every,
    Order.mapInput(Assessment.order, ({ one }: (typeof every)[number]) => one),
  ).slice(0, maxResources)
  const link = publicUrl && { link: PublicUrl.resourcesLink(publicUrl) }
  return [
    gauge(
      "vigil_resource_state",
      "Resources by state: 1, or the number of those with the same labels. Only the first 1,000, those that are not available first. cause: platform, maintenance, customer or unknown; empty if it is available and neither its status nor an event of now says more. own_action: yes if its status says that its owner did it, whatever the cause.",
      Metrics.count(
        shown.map(({ labels, one }) => ({ ...labels, ...labelsOf(one), ...(one.state === "Available" ? {} : link) })),
      ),
    ),
    gauge(
      "vigil_resources",
      "All resources by state.",
      read.flatMap(({ all, labels }) => {
        const { states } = Assessment.tally(all)
        return Assessment.states.map((state) => ({ labels: { ...labels, state }, value: states.get(state) ?? 0 }))
      }),
    ),
  ]
}
