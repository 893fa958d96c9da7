/** What is made of a declared API: its OpenAPI document, and the interactive page in which it is tried. */
import type * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Effect from "effect/Effect"
import * as appManagement from "./appManagement.js"
import * as healthEvents from "./healthEvents.js"

/** All that the page needs is in it: it may ask this server, and no other. */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** What services send may have more fields than are known. */
const document = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
): OpenApi.OpenAPISpec => OpenApi.fromApi(api, { additionalPropertiesStrategy: "allow" })

/** The page at `path`, as the library serves it there. */
const page = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  path: `/${string}`,
) => {
  // Asked for first, this document is the one that the page shows too.
  document(api)
  return HttpLayerRouter.toHttpEffect(HttpApiSwagger.layerHttpLayerRouter({ api, path })).pipe(
    Effect.flatten,
    Effect.map(HttpServerResponse.setHeaders({ "content-security-policy": policy, "referrer-policy": "no-referrer" })),
    Effect.orDie,
    Effect.scoped,
  )
}

/** What is served of both APIs, by path. */
export const make = (options: healthEvents.Options) => ({
  "/v0.1/openapi.json": () => Effect.orDie(HttpServerResponse.json(document(appManagement.make()))),
  "/v0.1/docs": () => page(appManagement.make(), "/v0.1/docs"),
  "/health/openapi.json": () => Effect.orDie(HttpServerResponse.json(document(healthEvents.make(options)))),
  "/health/docs": () => page(healthEvents.make(options), "/health/docs"),
})
