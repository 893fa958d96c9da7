/** Serves an OpenAPI document for each API (document of app management, "What the service does"). */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { World } from "../../World.js"
import { part, type Part, type Route } from "../router.js"

const paths = ["/v0.1/openapi.json", "/health/openapi.json"] as const

export const make = (baseUrl: string, current: Effect.Effect<World>): Part =>
  part(
    paths.map((path): Route => ({
      method: "GET",
      path,
      handle: Effect.fnUntraced(function* () {
        // Loaded on the first request: most programs need no document.
        const { make } = yield* Effect.promise(() => import("./documents.js"))
        const { vendor } = yield* current
        return HttpServerResponse.setHeader(yield* make({ baseUrl, vendor })[path](), "cache-control", "no-store")
      }),
    })),
  )
