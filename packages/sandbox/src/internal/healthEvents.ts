/** The operations on one event: the event itself (public contract), its details (document), its impacted resources (public contract). */
import { createHash } from "node:crypto"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Resource, WorldEvent } from "../World.js"
import { checkSubscription, type Context, isDefined, list, listQuery, make, query, startQuery } from "./healthCall.js"
import * as errors from "./healthErrors.js"
import * as filters from "./filter.js"
import * as startTime from "./startTime.js"
import { inFull, inList } from "./view.js"

interface Call extends Pick<Context, "version" | "world"> {
  readonly params: Readonly<Record<string, string>>
}

const find = Effect.fnUntraced(function* ({ params, version, world }: Call) {
  const { subscriptionId = "", trackingId = "" } = params
  yield* checkSubscription(world, subscriptionId)
  const found = world.events
    .filter(({ event, subscriptions }) => event.name === trackingId && subscriptions.includes(subscriptionId))
    .find((event) => isDefined(version, event))
  return found ?? (yield* errors.unknownEvent(trackingId, subscriptionId))
})

const isSecurityAdvisory = ({ event }: WorldEvent): boolean =>
  OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")

/** `/subscriptions/…/providers/Vendor.Storage/storageAccounts/web-1` has the type `Vendor.Storage/storageAccounts`. */
const typeOf = (uri: string): string => uri.split("/").slice(-3, -1).join("/")

const impactedResources = (call: Parameters<typeof list>[0] & Call, isOfList: (event: WorldEvent) => boolean) =>
  Effect.flatMap(find(call), (found) => {
    const { subscriptionId = "" } = call.params
    const isImpacted = ({ subscription, uri }: Resource) =>
      subscription === subscriptionId && found.resources.includes(uri)
    const show = ({ region, service, uri }: Resource): ImpactedResource.ImpactedResource => {
      const name = createHash("sha256").update(uri).digest("hex").slice(0, 32)
      return {
        id: `/subscriptions/${subscriptionId}${found.event.id}/impactedResources/${name}`,
        name,
        type: `${call.world.vendor}.ResourceHealth/events/impactedResources`,
        properties: {
          targetResourceId: uri,
          targetResourceType: typeOf(uri),
          targetRegion: region,
          info: [{ key: "service", value: service }],
        },
      }
    }
    return list(call, isOfList(found) ? call.world.resources.filter(isImpacted) : [], show)
  })

export const operations = (vendor: string, events: string) => {
  const success = Schema.Union(ApiVersion.all.map((version) => HealthEvent.schema(version, { vendor })))
  const event = `/subscriptions/:subscriptionId${events}/:trackingId`
  return [
    make({
      name: "getEvent",
      summary: "Get an event",
      description: "An event as in lists, however old it is. With `$filter` or `queryStartTime`, only if it matches.",
      path: event,
      query: { ...query, $filter: listQuery.$filter, ...startQuery },
      success,
      errors: [404],
      handle: Effect.fnUntraced(function* (call) {
        const { params, version, world } = call
        const found = yield* find(call)
        const text = call.query("queryStartTime")
        const start = startTime.read(text, world.now)
        if (start === undefined) return yield* errors.invalidStartTime
        const filter = filters.read(call.query("$filter"))
        if (filter === undefined) return yield* errors.invalidFilter
        const shown = inList(found.event, version, world.vendor)
        const matches = (!text || found.lastUpdate >= start) && filters.matches(filter, () => shown)
        return matches ? shown : yield* errors.unknownEvent(params["trackingId"] ?? "", params["subscriptionId"] ?? "")
      }),
    }),
    make({
      name: "fetchEventDetails",
      summary: "Get the details of an event",
      description: "An event with all texts, which lists omit for sensitive events. Requires an additional right.",
      method: "POST",
      path: `${event}/fetchEventDetails`,
      query,
      success,
      errors: [403, 404],
      handle: (call) =>
        call.details
          ? Effect.map(find(call), ({ event }) => inFull(event, call.version, call.world.vendor))
          : errors.forbidden,
    }),
    make({
      name: "impactedResources",
      summary: "List the impacted resources of an event",
      description: "The resources of the subscription that the event affects. Empty for security advisories.",
      path: `${event}/impactedResources`,
      query: listQuery,
      success: ImpactedResource.ResourcesPage,
      errors: [404],
      handle: (call) => impactedResources(call, (event) => !isSecurityAdvisory(event)),
    }),
    make({
      name: "listSecurityAdvisoryImpactedResources",
      summary: "List the impacted resources of a security advisory",
      description:
        "The resources of the subscription that the security advisory affects. Requires an additional right.",
      method: "POST",
      path: `${event}/listSecurityAdvisoryImpactedResources`,
      query: listQuery,
      success: ImpactedResource.ResourcesPage,
      errors: [403, 404],
      handle: (call) => (call.details ? impactedResources(call, isSecurityAdvisory) : errors.forbidden),
    }),
  ]
}
