/** The operations on one event of a subscription or the tenant: the event, its details (document), its impacted resources (public contract). */
import { createHash } from "node:crypto"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Resource, WorldEvent } from "../World.js"
import {
  checkSubscription,
  type Context,
  isDefined,
  list,
  type ListCall,
  listQuery,
  maker,
  query,
  startQuery,
} from "./healthCall.js"
import * as errors from "./healthErrors.js"
import * as filters from "./filter.js"
import * as startTime from "./startTime.js"
import { inFull, inList } from "./view.js"
import { isOfTenant } from "./world/lookup.js"

const make = maker("events")

/** Without a `subscriptionId`, the operation is that of the tenant. */
interface Call extends Pick<Context, "version" | "world"> {
  readonly params: Readonly<Record<string, string>>
}

const find = Effect.fnUntraced(function* ({ params, version, world }: Call) {
  const { subscriptionId, trackingId = "" } = params
  if (subscriptionId !== undefined) yield* checkSubscription(world, subscriptionId)
  const found = world.events
    .filter(({ event }) => event.name === trackingId)
    .filter((one) => (subscriptionId === undefined ? isOfTenant(one) : one.subscriptions.includes(subscriptionId)))
    .find((event) => isDefined(version, event))
  return found ?? (yield* errors.unknownEvent(trackingId, subscriptionId))
})

const isOfType = ({ event }: WorldEvent, type: "SecurityAdvisory" | "Billing"): boolean =>
  OpenEnum.equals(event.properties?.eventType, type)

const nameOf = ({ uri }: Resource): string => createHash("sha256").update(uri).digest("hex").slice(0, 32)

const impacted = ({ params: { subscriptionId }, world }: Call, { resources }: WorldEvent) => {
  const uris = new Set(resources)
  const isImpacted = ({ subscription, uri }: Resource) =>
    (subscriptionId === undefined || subscription === subscriptionId) && uris.has(uri)
  return world.resources.filter(isImpacted)
}

const show =
  ({ params: { subscriptionId }, world }: Call, { event }: WorldEvent) =>
  (resource: Resource): ImpactedResource.ImpactedResource => ({
    id: `${subscriptionId === undefined ? "" : `/subscriptions/${subscriptionId}`}${event.id}/impactedResources/${nameOf(resource)}`,
    name: nameOf(resource),
    type: `${world.vendor}.ResourceHealth/events/impactedResources`,
    properties: {
      targetResourceId: resource.uri,
      targetResourceType: ResourceId.type(resource.uri) ?? "",
      targetRegion: resource.region,
      info: [{ key: "service", value: resource.service }],
    },
  })

const listImpacted = (call: ListCall & Call, isOfList: (event: WorldEvent) => boolean) =>
  Effect.flatMap(find(call), (found) => list(call, isOfList(found) ? impacted(call, found) : [], show(call, found)))

/** The operations of a subscription have the names of the document. */
const scopes = [
  { path: "/subscriptions/:subscriptionId", suffix: "", of: "of the subscription" },
  { path: "", suffix: "OfTenant", of: "of the tenant" },
] as const

export const operations = (vendor: string, events: string) => {
  const success = Schema.Union(ApiVersion.all.map((version) => HealthEvent.schema(version, { vendor })))
  const details = { method: "POST", query, success, errors: [403, 404] } as const
  const ofScope = ({ of, path, suffix }: (typeof scopes)[number]) => {
    const event = `${path}${events}/:trackingId`
    return [
      make({
        name: `getEvent${suffix}`,
        summary: `Get an event ${of}`,
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
          return matches ? shown : yield* errors.unknownEvent(params["trackingId"] ?? "", params["subscriptionId"])
        }),
      }),
      make({
        ...details,
        name: `fetchEventDetails${suffix}`,
        summary: `Get the details of an event ${of}`,
        description: "An event with all texts, which lists omit for sensitive events. Requires an additional right.",
        path: `${event}/fetchEventDetails`,
        handle: (call) =>
          call.details
            ? Effect.map(find(call), ({ event }) => inFull(event, call.version, call.world.vendor))
            : errors.forbidden,
      }),
      make({
        name: `impactedResources${suffix}`,
        summary: `List the impacted resources of an event ${of}`,
        description: `The resources ${of} that the event affects. Empty for security advisories.`,
        path: `${event}/impactedResources`,
        query: listQuery,
        success: ImpactedResource.ResourcesPage,
        errors: [404],
        handle: (call) => listImpacted(call, (event) => !isOfType(event, "SecurityAdvisory")),
      }),
      make({
        name: `getImpactedResource${suffix}`,
        summary: `Get an impacted resource of an event ${of}`,
        description: "The entry with this name of the list of impacted resources.",
        path: `${event}/impactedResources/:name`,
        query,
        success: ImpactedResource.ImpactedResource,
        errors: [404],
        handle: Effect.fnUntraced(function* (call) {
          const { name = "" } = call.params
          const found = yield* find(call)
          const resources = isOfType(found, "SecurityAdvisory") ? [] : impacted(call, found)
          const resource = resources.find((one) => nameOf(one) === name)
          return resource === undefined ? yield* errors.unknownEntry(name) : show(call, found)(resource)
        }),
      }),
      make({
        name: `listSecurityAdvisoryImpactedResources${suffix}`,
        summary: `List the impacted resources of a security advisory ${of}`,
        description: `The resources ${of} that the security advisory affects. Requires an additional right.`,
        method: "POST",
        path: `${event}/listSecurityAdvisoryImpactedResources`,
        query: listQuery,
        success: ImpactedResource.ResourcesPage,
        errors: [403, 404],
        handle: (call) =>
          call.details ? listImpacted(call, (event) => isOfType(event, "SecurityAdvisory")) : errors.forbidden,
      }),
    ]
  }
  return [
    ...scopes.flatMap(ofScope),
    make({
      ...details,
      name: "fetchBillingCommunicationDetails",
      summary: "Get the details of a billing event",
      description: "A billing event with all texts. Requires an additional right.",
      path: `/subscriptions/:subscriptionId${events}/:trackingId/fetchBillingCommunicationDetails`,
      handle: Effect.fnUntraced(function* (call) {
        if (!call.details) return yield* errors.forbidden
        const found = yield* find(call)
        return isOfType(found, "Billing")
          ? inFull(found.event, call.version, call.world.vendor)
          : yield* errors.unknownEvent(call.params["trackingId"] ?? "", call.params["subscriptionId"])
      }),
    }),
  ]
}
