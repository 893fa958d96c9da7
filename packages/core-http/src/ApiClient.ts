/** Clients of an `HttpApi` on a service. Their errors, metrics and spans name the group and the endpoint. */
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { isOk, redirectStatuses } from "./internal/attempt.js"
import type { Client } from "./Request.js"
import type { RequestError } from "./RequestError.js"

/** Options of the client of an API. @category models @since 0.3.0 */
export interface Options {
  /** The `httpClient` of the service. Each endpoint sets the options `operation` and `accepts` of its requests. */
  readonly httpClient: Client
  /** A path such as `/v2`, or a URL of the service, before the paths of the API. Default: none. */
  readonly baseUrl?: URL | string | undefined
}

/**
 * Makes the client of an API, like `HttpApiClient.makeWith`. The operation of a request is its group and endpoint, such as `apps.read`. Responses
 * with the status codes of the endpoint's declared errors are decoded, after the retries. If it declares a redirect, none is followed. Other error responses fail with `RequestError`.
 * @category constructors @since 0.3.0
 */
export const make = <ApiId extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<ApiId, Groups>,
  { baseUrl, httpClient }: Options,
): Effect.Effect<HttpApiClient.Client<Groups, RequestError>, never, HttpApiGroup.MiddlewareClient<Groups>> =>
  Effect.suspend(() => {
    // `reflect` has strings for the names of the groups and endpoints of the API.
    type Group = HttpApiGroup.Identifier<Groups>
    type Endpoint = HttpApiGroup.EndpointsWithIdentifier<Groups, Group>["identifier"]
    const client: Record<string, unknown> = {}
    let methods = client
    const added: Array<Effect.Effect<void, never, HttpApiGroup.MiddlewareClient<Groups>>> = []
    HttpApi.reflect(api, {
      // Called before the endpoints of the group.
      onGroup: ({ group }) => {
        methods = group.topLevel ? client : {}
        if (!group.topLevel) client[group.identifier] = methods
      },
      onEndpoint: ({ endpoint, errors, group, successes }) => {
        const siblings = methods
        const isDeclared = (status: number) => successes.has(status) || errors.has(status)
        const made = HttpApiClient.endpoint(api, {
          group: group.identifier as Group,
          endpoint: endpoint.identifier as Endpoint,
          baseUrl,
          httpClient: httpClient.withOptions({
            operation: `${group.identifier}.${endpoint.identifier}`,
            accepts: (status) => isOk(status) || isDeclared(status),
            ...([...redirectStatuses].some(isDeclared) && { redirect: "manual" }),
          }),
        })
        added.push(
          Effect.map(made, (method) => {
            siblings[endpoint.identifier] = method
          }),
        )
      },
    })
    return Effect.as(Effect.all(added, { discard: true }), client as HttpApiClient.Client<Groups, RequestError>)
  })
