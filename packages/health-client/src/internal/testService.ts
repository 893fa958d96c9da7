/** An in-memory health events API for tests. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import type { TestData } from "../TestData.js"
import * as TestService from "../TestService.js"

/** Matches a path with decoded segments. */
const path =
  /^\/(?:(?<scope>.+)\/)?providers\/[^/]+\.ResourceHealth\/(?<list>events|emergingIssues|metadata)(?:\/(?<name>[^/]+)(?:\/(?<operation>\w+))?)?$/

type List = TestService.ListResponse | TestService.Sequence

const missing: TestService.ErrorResponse = { status: 404 }

/** An `HttpClient` of the service. Sequences restart whenever the layer is built. */
export const layer = ({
  details = {},
  emergingIssues = missing,
  impactedResources = {},
  impactedResourcesOfTenant = {},
  metadata = missing,
  pageSize,
  resources = {},
  serviceGroups = {},
  subscriptions = {},
  tenant = missing,
}: TestData): Layer.Layer<HttpClient.HttpClient> =>
  TestService.layer(() => {
    const keyOf = (list: string, scope = "") => `${scope} ${list}`
    const data = new Map<string, List>([
      ...Object.entries(resources).map(([uri, list]) => [keyOf("events", uri.replace(/^\//, "")), list] as const),
      ...Object.entries(subscriptions).map(([id, list]) => [keyOf("events", `subscriptions/${id}`), list] as const),
      ...Object.entries(serviceGroups).map(
        ([name, list]) => [keyOf("events", `providers/Microsoft.Management/serviceGroups/${name}`), list] as const,
      ),
      [keyOf("events"), tenant],
      [keyOf("emergingIssues"), emergingIssues],
      [keyOf("metadata"), metadata],
    ])
    const listsOf = (lists: Iterable<readonly [string, List]>) =>
      new Map(Array.from(lists, ([key, list]) => [key, TestService.list(list, pageSize)] as const))
    const lists = listsOf(data)
    const ofSubscriptions = listsOf(Object.entries(impactedResources))
    const ofTenant = listsOf(Object.entries(impactedResourcesOfTenant))
    const detailsById = new Map(Object.entries(details))

    const find = (key: string, name: string): unknown => {
      const list = data.get(key) ?? []
      return Array.isArray(list)
        ? list.find((entry) => HealthEvent.trackingKey(entry) === name.toLowerCase())
        : undefined
    }

    return (url) => {
      const { list = "", name, operation, scope } = path.exec(decodeURIComponent(url.pathname))?.groups ?? {}
      const key = keyOf(list, scope)
      if (name === undefined) return lists.get(key)?.(url) ?? TestService.notFound("SubscriptionNotFound")
      const impacted = scope === undefined ? ofTenant : ofSubscriptions
      if (operation !== undefined && operation !== "fetchEventDetails")
        return impacted.get(name)?.(url) ?? TestService.notFound("EventNotFound")
      const json = operation === undefined ? find(key, name) : detailsById.get(name)
      return json === undefined ? TestService.notFound("EventNotFound") : Response.json(json)
    }
  })
