/** Records what an `HttpClient` sends and receives. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

/** A request and its response. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly hasBody: boolean
  readonly status: number
  readonly mediaType: string
  readonly text: string
}

/** A client that uses fetch, and its exchanges so far. */
export const make = () => {
  const exchanges: Array<Exchange> = []
  const recordingFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    exchanges.push({
      method: init?.method ?? "GET",
      url: input instanceof Request ? input.url : String(input),
      hasBody: init?.body !== undefined && init.body !== null,
      status: response.status,
      mediaType: response.headers.get("content-type")?.split(";")[0] ?? "",
      text: await response.clone().text(),
    })
    return response
  }
  const layer = FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, recordingFetch)))
  return { exchanges, layer }
}
