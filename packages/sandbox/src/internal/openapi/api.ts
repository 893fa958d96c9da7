/** Serves an OpenAPI document of each API, and an interactive page of app management (its document, "What the service does"). */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as appManagement from "../appmgmt/api.js"
import * as appManagementErrors from "../appmgmt/errors.js"
import * as healthErrors from "../healthErrors.js"
import type { World } from "../../World.js"
import { part, type Part, type Route } from "../router.js"

const paths = ["/v0.1/openapi.json", "/v0.1/docs", "/health/openapi.json"] as const

export const make = (baseUrl: string, current: Effect.Effect<World>): Part =>
  part({
    routes: paths.map((path): Route => ({
      method: "GET",
      path,
      handle: () =>
        Effect.gen(function* () {
          // Loaded on the first request, because it is megabytes of code.
          const { make } = yield* Effect.promise(() => import("./documents.js"))
          const { vendor } = yield* current
          return HttpServerResponse.setHeader(yield* make({ baseUrl, vendor })[path](), "cache-control", "no-store")
        }),
    })),
    before: () => Effect.succeed({}),
    unknownPath: healthErrors.unknownPath,
    wrongMethod: (allow, target): ReturnType<typeof healthErrors.wrongMethod> =>
      appManagement.serves(target) ? appManagementErrors.wrongMethod(allow) : healthErrors.wrongMethod(allow),
  })
