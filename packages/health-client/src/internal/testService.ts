/** An in-memory health events API for tests. */
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as TestData from "../TestData.js"

export const baseUrl = "https://health.test"

const notFound = (code: string): Response =>
  Response.json({ error: { code, message: "The test data does not contain it." } }, { status: 404 })

/** Matches a path with decoded segments. */
const eventsPath =
  /^\/(?:(?<scope>.+)\/)?providers\/[^/]+\.ResourceHealth\/events(?:\/(?<event>[^/]+)(?:\/(?<operation>\w+))?)?$/

/** A requested wait before the next response, which would make a test wait, is left out. */
const withoutWait = (response: TestData.Response): TestData.Response => {
  if (isEntries(response)) return response
  const headers = Object.entries(response.headers ?? {}).filter(([name]) => name.toLowerCase() !== "retry-after")
  return { ...response, headers: Object.fromEntries(headers) }
}

const responsesOf = (list: TestData.Response | TestData.Sequence): (() => TestData.Response) => {
  if (!("responses" in list)) return () => list
  const last = list.responses.at(-1) ?? list.responses[0]
  const before = list.responses.slice(0, -1).map(withoutWait)[Symbol.iterator]()
  return () => before.next().value ?? last
}

const page = (events: ReadonlyArray<unknown>, url: URL, pageSize: number): Response => {
  const offset = Number(url.searchParams.get("$skipToken") ?? 0)
  const next = new URL(url)
  next.searchParams.set("$skipToken", String(offset + pageSize))
  const value = events.slice(offset, offset + pageSize)
  return Response.json({ value, nextLink: offset + pageSize < events.length ? next.href : null })
}

const isEntries = (response: TestData.Response | TestData.Sequence): response is ReadonlyArray<unknown> =>
  Array.isArray(response)

/** An `HttpClient` of the service. Sequences restart whenever the layer is built. */
export const layer = ({
  details = {},
  impactedResources = {},
  pageSize = 50,
  resources = {},
  subscriptions = {},
  tenant = { status: 404 },
}: TestData.TestData): Layer.Layer<HttpClient.HttpClient> =>
  Layer.sync(HttpClient.HttpClient, () => {
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

    const send = (response: TestData.Response, url: URL): Response => {
      if (isEntries(response)) return page(response, url, pageSize)
      const { body, headers = {}, status } = response
      return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
    }

    const respond = (url: URL): Response => {
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
      return json === undefined ? notFound("EventNotFound") : Response.json(json)
    }

    return HttpClient.make((request, url) => Effect.sync(() => HttpClientResponse.fromWeb(request, respond(url))))
  })
