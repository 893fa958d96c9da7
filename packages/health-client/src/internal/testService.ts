/** An in-memory health events API for tests. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import type { TestData } from "../TestData.js"
import * as TestService from "../TestService.js"

/** Matches a path with decoded segments. */
const eventsPath =
  /^\/(?:(?<scope>.+)\/)?providers\/[^/]+\.ResourceHealth\/events(?:\/(?<event>[^/]+)(?:\/(?<operation>\w+))?)?$/

/** An `HttpClient` of the service. Sequences restart whenever the layer is built. */
export const layer = ({
  details = {},
  impactedResources = {},
  pageSize,
  resources = {},
  serviceGroups = {},
  subscriptions = {},
  tenant = { status: 404 },
}: TestData): Layer.Layer<HttpClient.HttpClient> =>
  TestService.layer(() => {
    const listOf = (list: TestService.ListResponse | TestService.Sequence) => TestService.list(list, pageSize)
    const lists = new Map([
      ...Object.entries(resources).map(([uri, list]) => [uri.replace(/^\//, ""), listOf(list)] as const),
      ...Object.entries(subscriptions).map(([id, list]) => [`subscriptions/${id}`, listOf(list)] as const),
      ...Object.entries(serviceGroups).map(
        ([name, list]) => [`providers/Microsoft.Management/serviceGroups/${name}`, listOf(list)] as const,
      ),
      ["", listOf(tenant)],
    ])
    const resourcesById = new Map(Object.entries(impactedResources).map(([id, list]) => [id, listOf(list)] as const))
    const detailsById = new Map(Object.entries(details))

    const find = (scope: string, trackingId: string): unknown => {
      const list = subscriptions[scope.replace("subscriptions/", "")] ?? []
      return Array.isArray(list)
        ? list.find((entry) => HealthEvent.trackingKey(entry) === trackingId.toLowerCase())
        : undefined
    }

    return (url) => {
      const groups = eventsPath.exec(decodeURIComponent(url.pathname))?.groups
      // Emerging issues and metadata are not those of the tenant.
      if (groups === undefined) return TestService.notFound("ResourceNotFound")
      const { event, operation, scope = "" } = groups
      if (event === undefined) return lists.get(scope)?.(url) ?? TestService.notFound("SubscriptionNotFound")
      if (operation !== undefined && operation !== "fetchEventDetails")
        return resourcesById.get(event)?.(url) ?? TestService.notFound("EventNotFound")
      const json = operation === undefined ? find(scope, event) : detailsById.get(event)
      return json === undefined ? TestService.notFound("EventNotFound") : Response.json(json)
    }
  })
