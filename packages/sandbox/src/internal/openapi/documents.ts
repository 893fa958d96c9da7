/** The OpenAPI documents of both APIs, and their interactive pages. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as OpenApi from "effect/http-api/OpenApi"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as appManagement from "../appmgmt/operations.js"
import * as appManagementSchemas from "../appmgmt/schemas.js"
import * as health from "../healthApi.js"
import * as healthCall from "../healthCall.js"
import { policy as contentSecurityPolicy } from "../htmlPage.js"
import * as document from "./document.js"

export interface Options {
  readonly baseUrl: string
  readonly vendor: string
}

const policy = contentSecurityPolicy([
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
])

const info = {
  contact: { name: "Vigil", url: "https://github.com/vigil-effect/vigil" },
  license: { name: "MIT", url: "https://opensource.org/license/mit" },
}

const ofAppManagement = ({ baseUrl }: Options) =>
  document.make({
    info: {
      title: "App management",
      version: "v0.1",
      description: "A sandbox of the app management API: the profile of a user, apps, and the users of an app.",
      ...info,
    },
    baseUrl,
    tags: appManagement.tags,
    security: { name: "APIToken", scheme: { type: "apiKey", name: "X-API-Token", in: "header" }, scopes: [] },
    failure: appManagementSchemas.Failure,
    errors: appManagement.commonErrors,
    operations: appManagement.operations,
  })

const ofHealthEvents = ({ baseUrl, vendor }: Options) =>
  document.make({
    info: {
      title: "Health events",
      version: ApiVersion.all.join(", "),
      description: "A sandbox of the health events API: the events of a subscription, a resource or the tenant.",
      ...info,
    },
    baseUrl,
    tags: health.tags,
    security: {
      name: "platform_auth",
      scheme: {
        type: "oauth2",
        flows: {
          implicit: {
            authorizationUrl: `${baseUrl}/common/oauth2/authorize`,
            scopes: { user_impersonation: "Impersonate your user account" },
          },
        },
      },
      scopes: ["user_impersonation"],
    },
    failure: healthCall.Failure,
    errors: healthCall.commonErrors,
    operations: health.operations(vendor),
  })

/** The library makes its page of an `HttpApi`: an empty one, with our document in its place. */
const page = (spec: object, path: `/${string}`) =>
  HttpRouter.toHttpEffect(
    HttpApiSwagger.layer(
      HttpApi.make("api").annotate(OpenApi.Transform, () => ({ ...spec })),
      { path },
    ),
  ).pipe(
    Effect.flatten,
    Effect.map(HttpServerResponse.setHeaders({ "content-security-policy": policy, "referrer-policy": "no-referrer" })),
    Effect.orDie,
    Effect.scoped,
  )

export const make = (options: Options) => ({
  "/v0.1/openapi.json": () => Effect.orDie(HttpServerResponse.json(ofAppManagement(options))),
  "/v0.1/docs": () => page(ofAppManagement(options), "/v0.1/docs"),
  "/health/openapi.json": () => Effect.orDie(HttpServerResponse.json(ofHealthEvents(options))),
  "/health/docs": () => page(ofHealthEvents(options), "/health/docs"),
})
