/** An in-memory health events API for tests. */
import type * as HttpClient from "effect/http/HttpClient"
import * as TestHttpClient from "@vigil/core-http/TestHttpClient"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Layer from "effect/Layer"
import type { Response, Sequence, TestData } from "../TestData.js"

export const baseUrl = "https://health.test"

const notFound = (code: string): TestHttpClient.TestResponse => ({
  status: 404,
  json: { error: { code, message: "The test data does not contain it." } },
})

/** Matches a path with decoded segments. */
const eventsPath =
  /^\/(?:(?<scope>.+)\/)?providers\/[^/]+\.ResourceHealth\/events(?:\/(?<event>[^/]+)(?:\/(?<operation>\w+))?)?$/

/** A requested wait before the next response, which would make a test wait, is left out. */
const withoutWait = (response: Response): Response => {
  if (isEntries(response)) return response
  const headers = Object.entries(response.headers ?? {}).filter(([name]) => name.toLowerCase() !== "retry-after")
  return { ...response, headers: Object.fromEntries(headers) }
}

const responsesOf = (list: Response | Sequence): (() => Response) => {
  if (!("responses" in list)) return () => list
  const last = list.responses.at(-1) ?? list.responses[0]
  const before = list.responses.slice(0, -1).map(withoutWait)[Symbol.iterator]()
  return () => before.next().value ?? last
}

const page = (events: ReadonlyArray<unknown>, url: URL, pageSize: number): TestHttpClient.TestResponse => {
  const offset = Number(url.searchParams.get("$skipToken") ?? 0)
  const next = new URL(url)
  next.searchParams.set("$skipToken", String(offset + pageSize))
  const value = events.slice(offset, offset + pageSize)
  return { json: { value, nextLink: offset + pageSize < events.length ? next.href : null } }
}

const isEntries = (response: Response | Sequence): response is ReadonlyArray<unknown> => Array.isArray(response)

/** An `HttpClient` of the service. Sequences restart whenever the layer is built. */
export const layer = ({
  details = {},
  impactedResources = {},
  pageSize = 50,
  resources = {},
  subscriptions = {},
  tenant = { status: 404 },
}: TestData): Layer.Layer<HttpClient.HttpClient> =>
  Layer.suspend(() => {
    const lists = new Map([
      ...Object.entries(resources).map(([uri, list]) => [uri.replace(/^\//, ""), responsesOf(list)] as const),
      ...Object.entries(subscriptions).map(([id, list]) => [`subscriptions/${id}`, responsesOf(list)] as const),
      ["", responsesOf(tenant)],
    ])
    const resourcesById = new Map(
      Object.entries(impactedResources).map(([id, list]) => [id, responsesOf(list)] as const),
    )
    const detailsById = new Map(Object.entries(details))

    const find = (scope: string, trackingId: string): unknown => {
      const list = subscriptions[scope.replace("subscriptions/", "")] ?? []
      return isEntries(list)
        ? list.find((entry) => HealthEvent.trackingKey(entry) === trackingId.toLowerCase())
        : undefined
    }

    const send = (response: Response, url: URL): TestHttpClient.TestResponse => {
      if (isEntries(response)) return page(response, url, pageSize)
      const { body, headers, status } = response
      return { status, headers, json: body }
    }

    return TestHttpClient.layer(({ url }) => {
      const { event, operation, scope = "" } = eventsPath.exec(decodeURIComponent(url.pathname))?.groups ?? {}
      if (event === undefined) {
        const list = lists.get(scope)
        return list === undefined ? notFound("SubscriptionNotFound") : send(list(), url)
      }
      if (operation !== undefined && operation !== "fetchEventDetails") {
        const list = resourcesById.get(event)
        return list === undefined ? notFound("EventNotFound") : send(list(), url)
      }
      const json = operation === undefined ? find(scope, event) : detailsById.get(event)
      return json === undefined ? notFound("EventNotFound") : { json }
    })
  })
