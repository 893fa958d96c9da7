/** The availability of resources (public contract): of a subscription, a resource group, a resource and its child resources. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Region from "@vigil/health-schema/Region"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Struct from "effect/Struct"
import type { ErrorResponse } from "./errorResponse.js"
import * as filters from "./filter.js"
import { checkSubscription, list, type ListCall, listQuery, maker, optional, query } from "./healthCall.js"
import * as errors from "./healthErrors.js"
import { current, history } from "./world/availability.js"
import { find, inGroup, inSubscription } from "./world/lookup.js"
import type { Resource, StatusProperties, WireStatus } from "./world/models.js"
import { childrenOf } from "./world/places.js"

const make = maker("availability")

const $expand = optional("`recommendedactions` returns the recommended actions, too.")

const many = {
  query: { ...listQuery, $expand },
  success: AvailabilityStatus.StatusesPage,
  errors: [404],
} as const

const one = {
  query: { ...query, $filter: listQuery.$filter, $expand },
  success: AvailabilityStatus.AvailabilityStatus,
  errors: [404],
} as const

type Call = Pick<ListCall, "world"> & {
  readonly params: Readonly<Record<string, string>>
  readonly query: (name: keyof typeof one.query) => string | null
}

const findResource = ({ params, world }: Call, isChild: boolean): Effect.Effect<Resource, ErrorResponse<404>> => {
  const uri = `/${params["resourceUri"]}`
  const found = find(world, uri)
  return found === undefined || (isChild && found.parent === undefined)
    ? errors.unknownResource(uri)
    : Effect.succeed(found)
}

const show = (
  { query, world: { vendor } }: Pick<Call, "world"> & Pick<Partial<Call>, "query">,
  resource: Resource,
  status: StatusProperties,
  name = "current",
  path = `availabilityStatuses/${name}`,
): WireStatus => {
  const isExpanded = query?.("$expand")?.toLowerCase() === "recommendedactions"
  // A test may put properties that are not an object.
  const properties = isExpanded || !Predicate.isObject(status) ? status : Struct.omit(status, ["recommendedActions"])
  return {
    id: `${resource.uri}/providers/${vendor}.ResourceHealth/${path}`,
    name,
    type: `${vendor}.ResourceHealth/AvailabilityStatuses`,
    location: Region.normalize(resource.region),
    properties,
  }
}

/** The names of earlier statuses are their times, such as `2026-01-15+12%3a00%3a00Z`. */
const nameOf = ({ occuredTime }: StatusProperties): string =>
  String(occuredTime).replace("T", "+").replaceAll(":", "%3a")

/** The current status of a resource. */
export const showCurrent = (world: Call["world"], resource: Resource): WireStatus =>
  show({ world }, resource, current(world, resource))

const listCurrent = (call: Call & ListCall, resources: ReadonlyArray<Resource>) =>
  list(call, resources, (resource) => show(call, resource, current(call.world, resource)))

/** The operations on one resource, or on one child resource. */
const ofResource = (provider: string, kind: "" | "Child") => {
  const [what, segment] =
    kind === "" ? ["resource", "availabilityStatuses"] : ["child resource", "childAvailabilityStatuses"]
  const path = `/*resourceUri${provider}/${segment}`
  return [
    make({
      ...many,
      name: `list${kind}StatusesByResource`,
      summary: `List the statuses of a ${what}`,
      description: "The current status and those of the last four weeks, newest first.",
      path,
      handle: (call) =>
        Effect.flatMap(findResource(call, kind === "Child"), (resource) => {
          const shown = history(call.world, resource).map((status, index) =>
            show(call, resource, status, index === 0 ? "current" : nameOf(status)),
          )
          return list(call, shown, (status) => status)
        }),
    }),
    make({
      ...one,
      name: `get${kind}Status`,
      summary: `Get the availability of a ${what}`,
      description: "The current status. With `$filter`, only if it matches.",
      path: `${path}/current`,
      handle: Effect.fnUntraced(function* (call) {
        const filter = filters.read(call.query("$filter"))
        if (filter === undefined) return yield* errors.invalidFilter
        const resource = yield* findResource(call, kind === "Child")
        const shown = show(call, resource, current(call.world, resource), "current", `${segment}/current`)
        return filters.matches(filter, () => shown) ? shown : yield* errors.unknownEntry("current")
      }),
    }),
  ]
}

export const operations = (provider: string) => [
  make({
    ...many,
    name: "listStatusesBySubscription",
    summary: "List the availability of the resources of a subscription",
    description: "The current status of each resource, without child resources.",
    path: `/subscriptions/:subscriptionId${provider}/availabilityStatuses`,
    handle: Effect.fnUntraced(function* (call) {
      const { subscriptionId = "" } = call.params
      yield* checkSubscription(call.world, subscriptionId)
      return yield* listCurrent(call, inSubscription(call.world, subscriptionId))
    }),
  }),
  make({
    ...many,
    name: "listStatusesByResourceGroup",
    summary: "List the availability of the resources of a resource group",
    description: "The current status of each resource, without child resources.",
    path: `/subscriptions/:subscriptionId/resourceGroups/:resourceGroupName${provider}/availabilityStatuses`,
    handle: Effect.fnUntraced(function* (call) {
      const { resourceGroupName = "", subscriptionId = "" } = call.params
      yield* checkSubscription(call.world, subscriptionId)
      const resources = inGroup(call.world, subscriptionId, resourceGroupName)
      return yield* resources === undefined ? errors.unknownGroup(resourceGroupName) : listCurrent(call, resources)
    }),
  }),
  ...ofResource(provider, ""),
  ...ofResource(provider, "Child"),
  make({
    ...many,
    name: "listChildResources",
    summary: "List the availability of the child resources of a resource",
    description: "The current status of each child resource, with the name of the child resource.",
    path: `/*resourceUri${provider}/childResources`,
    handle: Effect.fnUntraced(function* (call) {
      const children = childrenOf(yield* findResource(call, false))
      return yield* list(call, children, (child) =>
        show(call, child, current(call.world, child), ResourceId.name(child.uri), "child/availabilityStatuses/current"),
      )
    }),
  }),
]
