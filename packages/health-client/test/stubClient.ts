/** An `HttpClient` with a table of responses by URL, which records requests. */
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Responds with the JSON of a URL, else with 404. */
export const stubClient = (table: Readonly<Record<string, unknown>>) => {
  const seen: Array<HttpClientRequest.HttpClientRequest> = []
  const client = HttpClient.make((request, url) =>
    Effect.sync(() => {
      seen.push(request)
      const body = table[url.href]
      const response = body === undefined ? new Response("", { status: 404 }) : Response.json(body)
      return HttpClientResponse.fromWeb(request, response)
    }),
  )
  return { seen, layer: Layer.succeed(HttpClient.HttpClient, client) }
}
