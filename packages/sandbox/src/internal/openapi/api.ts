/** Serves an OpenAPI document and an interactive page for each API (document of app management, "What the service does"). */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { World } from "../../World.js"
import { page } from "../htmlPage.js"
import { part, type Part, type Route } from "../router.js"

const paths = ["/v0.1/openapi.json", "/v0.1/docs", "/health/openapi.json", "/health/docs"] as const

/** Passes the fragment to the page that opened this one. The name is that of Swagger UI. */
const script = `
const request = window.opener.swaggerUIRedirectOauth2
const token = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
request.callback({ auth: request.auth, token, isValid: token.state === request.state, redirectUrl: request.redirectUrl })
window.close()
`

export const make = (baseUrl: string, current: Effect.Effect<World>): Part =>
  part([
    ...paths.map((path): Route => ({
      method: "GET",
      path,
      handle: Effect.fnUntraced(function* () {
        // Loaded on the first request, because it is megabytes of code.
        const { make } = yield* Effect.promise(() => import("./documents.js"))
        const { vendor } = yield* current
        return HttpServerResponse.setHeader(yield* make({ baseUrl, vendor })[path](), "cache-control", "no-store")
      }),
    })),
    {
      method: "GET",
      path: "/health/oauth2-redirect.html",
      handle: () => Effect.succeed(page({ status: 200, title: "Signed in", body: "", script })),
    },
  ])
