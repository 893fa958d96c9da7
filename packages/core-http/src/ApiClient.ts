/** Clients of an `HttpApi` on a service. Their errors, metrics and spans name the group and the endpoint. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { isOk } from "./internal/attempt.js"
import type { Client } from "./Request.js"
import type { RequestError } from "./RequestError.js"

/** Options of the client of an API. @category models @since 0.3.0 */
export interface Options {
  /** The `httpClient` of the service. */
  readonly httpClient: Client
  /** A path such as `/v2`, or a URL of the service, before the paths of the API. Default: none. */
  readonly baseUrl?: string | undefined
}

interface Endpoint {
  readonly method: string
  readonly path: RegExp
  /** The number of characters outside of parameters. */
  readonly fixed: number
  readonly client: Client
}

/** A parameter of a path, with its pattern. */
const parameter = /:\w+(?:\([^)]*\))?\??/

/** The endpoints, those with fewer parameters first, as servers route requests. */
const endpointsOf = <ApiId extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<ApiId, Groups>,
  httpClient: Client,
): ReadonlyArray<Endpoint> => {
  const endpoints: Array<Endpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, successes }) => {
      const literals = endpoint.path.split(parameter)
      endpoints.push({
        method: endpoint.method,
        path: new RegExp(`^${literals.map((text) => text.replace(/\W/g, "\\$&")).join("[^/]*")}$`),
        fixed: literals.join("").length,
        client: httpClient.withOptions({
          operation: `${group.identifier}.${endpoint.identifier}`,
          accepts: (status) => isOk(status) || successes.has(status) || errors.has(status),
        }),
      })
    },
  })
  return endpoints.toSorted((a, b) => b.fixed - a.fixed)
}

/**
 * Makes the client of an API, like `HttpApiClient.makeWith`. The operation of a request is its group and endpoint, such as `apps.read`. Responses
 * with the status codes of the endpoint's declared errors are decoded, after the retries. Other error responses fail with `RequestError`.
 * @category constructors @since 0.3.0
 */
export const make = <ApiId extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<ApiId, Groups>,
  { baseUrl = "", httpClient }: Options,
): Effect.Effect<HttpApiClient.Client<Groups, RequestError>, never, HttpApiGroup.MiddlewareClient<Groups>> => {
  const endpoints = endpointsOf(api, httpClient)
  const send = (request: HttpClientRequest.HttpClientRequest) => {
    const endpoint = endpoints.find(({ method, path }) => method === request.method && path.test(request.url))
    return (endpoint?.client ?? httpClient).execute(HttpClientRequest.prependUrl(request, baseUrl))
  }
  return HttpApiClient.makeWith(api, {
    httpClient: HttpClient.makeWith<RequestError, never, RequestError, never>(Effect.flatMap(send), Effect.succeed),
  })
}
