/** The health events API in memory: answers of events that a test wrote down. */
import * as TestHttpClient from "@vigil/core-http/TestHttpClient"
import type { TestData } from "../HealthClient.js"

/** Where it seems to be. */
export const baseUrl = "https://health.test"

const notFound = (code: string): TestHttpClient.Answer => ({
  status: 404,
  json: { error: { code, message: "No test data was given for it." } },
})

/** What stands before and after the namespace of the events in a path, its segments decoded. */
const shape = /^\/(?<scope>.+)\/providers\/[^/]+\.ResourceHealth\/events(?:\/(?<event>[^/]+)\/fetchEventDetails)?$/

/** An `HttpClient` that knows the data, and no filter. */
export const layer = ({ details = {}, pageSize = 50, resources = {}, subscriptions = {} }: TestData) => {
  const lists = new Map([
    ...Object.entries(resources).map(([uri, events]) => [uri.replace(/^\//, ""), events] as const),
    ...Object.entries(subscriptions).map(([id, events]) => [`subscriptions/${id}`, events] as const),
  ])
  const texts = new Map(Object.entries(details))

  return TestHttpClient.layer(({ url }) => {
    const { event, scope = "" } = shape.exec(decodeURIComponent(url.pathname))?.groups ?? {}
    if (event !== undefined) {
      const json = texts.get(event)
      return json === undefined ? notFound("EventNotFound") : { json }
    }
    const events = lists.get(scope)
    if (events === undefined) return notFound("SubscriptionNotFound")
    const offset = Number(url.searchParams.get("$skipToken") ?? 0)
    const next = new URL(url)
    next.searchParams.set("$skipToken", String(offset + pageSize))
    const value = events.slice(offset, offset + pageSize)
    return { json: { value, nextLink: offset + pageSize < events.length ? next.href : null } }
  })
}
