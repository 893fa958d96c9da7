/** Where the APIs are described: a document and an interactive page each (document of app management, "What the service does"). */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { World } from "../../World.js"
import * as appmgmtApi from "../appmgmt/api.js"
import * as refusals from "../appmgmt/refusals.js"
import { send } from "../errorResponse.js"
import * as errors from "../healthErrors.js"
import * as route from "../route.js"
import { redirectPage } from "./redirectPage.js"

/** What it is served with. */
export interface Options {
  readonly baseUrl: string
  readonly current: Effect.Effect<World>
}

const routes = [
  { method: "GET", path: "/v0.1/openapi.json" },
  { method: "GET", path: "/v0.1/docs" },
  { method: "GET", path: "/health/openapi.json" },
  { method: "GET", path: "/health/docs" },
  // Where the interactive page of the health events API expects the token of the implicit flow.
  { method: "GET", path: "/health/oauth2-redirect.html" },
] as const

/** Whether a request target is one of them: they take no token. */
export const serves = (target: string): boolean => route.find(routes, "", target)._tag !== "UnknownPath"

/** Answers a request that `serves` accepts. */
export const app = ({ baseUrl, current }: Options) =>
  Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    const found = route.find(routes, method, url)
    if (found._tag === "UnknownPath") return yield* errors.unknownPath
    if (found._tag === "WrongMethod")
      return yield* appmgmtApi.serves(url) ? refusals.wrongMethod(found.allow) : errors.wrongMethod(found.allow)
    const { path } = found.route
    if (path === "/health/oauth2-redirect.html") return redirectPage
    const { vendor } = yield* current
    // Loaded when it is first asked for: it is megabytes, which no other use of the sandbox should wait for.
    const { make } = yield* Effect.promise(() => import("./documents.js"))
    return HttpServerResponse.setHeader(yield* make({ baseUrl, vendor })[path](), "cache-control", "no-store")
  }).pipe(send)
