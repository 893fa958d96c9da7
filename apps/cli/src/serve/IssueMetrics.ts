/** The metric of active issues, for alerts: each issue of each list is a time series. */
import * as Events from "@vigil/health-schema/Events"
import { type AnyEvent, isNotice, trackingKey } from "@vigil/health-schema/HealthEvent"
import * as Severity from "@vigil/health-text/Severity"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Nearby from "@vigil/health-verdict/Nearby"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Arr from "effect/Array"
import * as Order from "effect/Order"
import * as PublicUrl from "../notify/shared/PublicUrl.js"
import type { SubscriptionNames } from "../settings/SubscriptionNames.js"
import type { Drawing } from "./Drawing.js"
import * as Metrics from "./Metrics.js"
import { type Family, gauge } from "./MetricsText.js"

/** Those of services and regions of the user come first, and of these the most severe. */
const maxIssues = 1_000

const reaches = ["yours", "unknown", "elsewhere"] as const

type Reach = (typeof reaches)[number]

/**
 * Whether an issue names resources of the user, or the user has some of its services and in its regions: in any subscription, as on the page. If not, that is
 * known only if the resources that it may concern were read, and its services are surely other ones.
 */
const reachOf = ({ impacted, now, statuses: lists }: Drawing): ((event: AnyEvent, of: Subject.Subject) => Reach) => {
  const statuses = lists.flatMap(({ statuses }) => statuses)
  const keys = new Set([
    ...impacted.events.flatMap(({ event, items }) => (items.length > 0 ? trackingKey(event) : [])),
    ...statuses.map(({ properties }) => properties?.healthEventId?.toLowerCase() || undefined),
  ])
  const count = Nearby.make(statuses, now, ImpactedLists.completeMetadata(impacted))
  const known = new Set(
    lists.filter((list) => Metrics.isRead(list) && list.invalid.length === 0).map(({ subject }) => subject),
  )
  const isKnown = (of: Subject.Subject) =>
    Subject.isSubscription(of) ? known.has(of) : lists.length > 0 && known.size === lists.length
  return (event, of) => {
    const key = trackingKey(event)
    const { possible, sure } = count(event)
    if ((key !== undefined && keys.has(key)) || sure > 0) return "yours"
    return isKnown(of) && possible === 0 ? "elsewhere" : "unknown"
  }
}

const order = Order.combine(
  Order.mapInput(Order.Number, ({ reach }: { readonly reach: Reach; readonly event: AnyEvent }) =>
    reaches.indexOf(reach),
  ),
  Order.mapInput(Order.Number, ({ event }) => Severity.rank(Severity.fromEvent(event))),
)

/** Of the last complete lists. With the URL of the page, each has a link. */
export const issues = (
  drawing: Drawing,
  names: SubscriptionNames,
  publicUrl: URL | undefined,
): ReadonlyArray<Family> => {
  const linkOf = PublicUrl.linkOf(publicUrl)
  const reach = reachOf(drawing)
  const all = drawing.lists.flatMap(({ events, subject }) => {
    const active = events.filter((event) => Events.isActive(event) && !isNotice(event))
    return active.map((event) => ({ subject, event, reach: reach(event, subject) }))
  })
  const nameOf = (subject: Subject.Subject) => {
    const name = Subject.isSubscription(subject) ? names.nameOf(subject) : undefined
    return name === undefined ? {} : { subscription_name: Metrics.shortName(name) }
  }
  const samples = Arr.sort(all, order)
    .slice(0, maxIssues)
    .map(({ event, reach, subject }) => ({
      ...Metrics.labelsOf(subject),
      ...nameOf(subject),
      event: Metrics.shortName(event.name || event.id || ""),
      title: Metrics.shortName(event.properties?.title ?? ""),
      ...Metrics.gradeOf(event),
      reach,
      ...(linkOf === undefined ? {} : { link: linkOf(event) }),
    }))
  return [
    gauge(
      "vigil_issue_active",
      "Active issues: 1 for each issue of each list, the first 1,000. scope: tenant or everyone, instead of subscription. reach: yours (it names a resource of yours, or you have some of its services and in its regions), elsewhere, or unknown (resources were not read, or may be of its services).",
      Metrics.count(samples),
    ),
  ]
}
