/** The metric of active issues, for alerts: each issue of each list is a time series. */
import * as Events from "@vigil/health-schema/Events"
import { type AnyEvent, isNotice, trackingKey } from "@vigil/health-schema/HealthEvent"
import * as Severity from "@vigil/health-text/Severity"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Nearby from "@vigil/health-verdict/Nearby"
import * as Arr from "effect/Array"
import * as Order from "effect/Order"
import * as PublicUrl from "../notify/shared/PublicUrl.js"
import * as Metrics from "./Metrics.js"
import { type Family, gauge } from "./MetricsText.js"
import type * as State from "./State.js"

/** Those of services and regions of the user come first, and of these the most severe. */
const maxIssues = 1_000

const reaches = ["yours", "unknown", "elsewhere"] as const

type Reach = (typeof reaches)[number]

/**
 * Whether an issue names resources of the user, or the user has some of its services and in its regions: in any subscription, as on the page. If not, that is
 * known only if its own list of resources was read, and its services are surely other ones.
 */
const reachOf = ({ impacted, resources }: State.State): ((event: AnyEvent, list: string) => Reach) => {
  const read = resources.flatMap(({ read }) => read ?? [])
  const statuses = read.flatMap(({ statuses }) => statuses)
  const keys = new Set([
    ...impacted.events.flatMap(({ event, items }) => (items.length > 0 ? trackingKey(event) : [])),
    ...statuses.map(({ properties }) => properties?.healthEventId?.toLowerCase() || undefined),
  ])
  const count = Nearby.make(
    statuses,
    Math.max(0, ...read.map(({ at }) => at)),
    ImpactedLists.completeMetadata(impacted),
  )
  const known = new Set(resources.flatMap(({ list, read }) => (read?.invalid.length === 0 ? list.id : [])))
  return (event, list) => {
    const key = trackingKey(event)
    const { possible, sure } = count(event)
    if ((key !== undefined && keys.has(key)) || sure > 0) return "yours"
    return known.has(list) && possible === 0 ? "elsewhere" : "unknown"
  }
}

const order = Order.combine(
  Order.mapInput(Order.Number, ({ reach }: { readonly reach: Reach; readonly event: AnyEvent }) =>
    reaches.indexOf(reach),
  ),
  Order.mapInput(Order.Number, ({ event }) => Severity.rank(Severity.fromEvent(event))),
)

/** Of the last complete lists. With the URL of the page, each has a link. */
export const issues = (state: State.State, publicUrl: URL | undefined): ReadonlyArray<Family> => {
  const linkOf = PublicUrl.linkOf(publicUrl)
  const reach = reachOf(state)
  const all = state.lists.flatMap((list) => {
    const active = (list.read?.events ?? []).filter((event) => Events.isActive(event) && !isNotice(event))
    return active.map((event) => ({ list: list.list, event, reach: reach(event, list.list.id) }))
  })
  const samples = Arr.sort(all, order)
    .slice(0, maxIssues)
    .map(({ event, list, reach }) => ({
      ...Metrics.labelsOf({ list }),
      ...(list.name === undefined ? {} : { subscription_name: Metrics.shortName(list.name) }),
      event: Metrics.shortName(event.name || event.id || ""),
      title: Metrics.shortName(event.properties?.title ?? ""),
      ...Metrics.gradeOf(event),
      reach,
      ...(linkOf === undefined ? {} : { link: linkOf(event) }),
    }))
  return [
    gauge(
      "vigil_issue_active",
      "Active issues: 1 for each issue of each list, the first 1,000. reach: yours (it names a resource of yours, or you have some of its services and in its regions), elsewhere, or unknown (resources were not read, or may be of its services).",
      Metrics.count(samples),
    ),
  ]
}
