/** The OpenAPI documents of both APIs. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as appManagement from "../appmgmt/operations.js"
import * as appManagementSchemas from "../appmgmt/schemas.js"
import * as health from "../healthApi.js"
import * as healthCall from "../healthCall.js"
import * as document from "./document.js"

export interface Options {
  readonly baseUrl: string
  readonly vendor: string
}

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

export const make = (options: Options) => ({
  "/v0.1/openapi.json": () => Effect.orDie(HttpServerResponse.json(ofAppManagement(options))),
  "/health/openapi.json": () => Effect.orDie(HttpServerResponse.json(ofHealthEvents(options))),
})
