/** An in-memory service with the availability of resources, for tests. */
import type * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import type { TestData } from "../../AvailabilityTestData.js"
import * as TestService from "../../TestService.js"

/** Matches a path with decoded segments. */
const path = /^\/(?<id>.+)\/providers\/[^/]+\.ResourceHealth\/(?<list>\w+)(?<current>\/current)?$/

/** An `HttpClient` of the service. Sequences restart whenever the layer is built. */
export const layer = ({
  childStatuses = {},
  children = {},
  current = {},
  pageSize,
  statuses = {},
}: TestData): Layer.Layer<HttpClient.HttpClient> =>
  TestService.layer(() => {
    const keyOf = (list: string, id: string) => `${list} ${id.replace(/^\//, "").toLowerCase()}`
    const histories = { availabilityStatuses: statuses, childAvailabilityStatuses: childStatuses }
    const lists = new Map(
      Object.entries({ ...histories, childResources: children }).flatMap(([name, byId]) =>
        Object.entries(byId).map(([id, list]) => [keyOf(name, id), TestService.list(list, pageSize)] as const),
      ),
    )
    const ofResource = new Map([
      ...Object.values(histories).flatMap((byId) =>
        Object.entries(byId).flatMap(([id, list]) =>
          Array.isArray(list) ? [[keyOf("", id), list[0] as unknown] as const] : [],
        ),
      ),
      ...Object.entries(current).map(([id, status]) => [keyOf("", id), status] as const),
    ])
    return (url) => {
      const groups = path.exec(decodeURIComponent(url.pathname))?.groups ?? {}
      const { id = "", list = "" } = groups
      if (groups["current"] === undefined)
        return lists.get(keyOf(list, id))?.(url) ?? TestService.notFound("ResourceNotFound")
      const json = ofResource.get(keyOf("", id))
      return json === undefined ? TestService.notFound("ResourceNotFound") : Response.json(json)
    }
  })
