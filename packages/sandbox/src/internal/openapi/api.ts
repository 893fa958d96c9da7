/** Where the APIs are described: a document and an interactive page each (document of app management, "What the service does"). */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { World } from "../../World.js"
import * as path from "../path.js"
import { redirectPage } from "./redirectPage.js"

/** What it is served with. */
export interface Options {
  readonly baseUrl: string
  readonly current: Effect.Effect<World>
}

const paths = ["/v0.1/openapi.json", "/v0.1/docs", "/health/openapi.json", "/health/docs"] as const

/** Where the interactive page of the health events API expects an answer of the implicit flow. */
const redirect = "/health/oauth2-redirect.html"

/** Whether a request is for one of them: they take no token. */
export const serves = ({ method, url }: HttpServerRequest.HttpServerRequest): boolean =>
  (method === "GET" || method === "HEAD") && [...paths, redirect].some((known) => known === path.ofTarget(url))

/** Answers a request that `serves` has. */
export const app = ({ baseUrl, current }: Options) =>
  Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const found = paths.find((known) => known === path.ofTarget(url))
    if (found === undefined) return redirectPage
    const { vendor } = yield* current
    // Loaded when it is first asked for: it is megabytes, which no other use of the sandbox should wait for.
    const { make } = yield* Effect.promise(() => import("./documents.js"))
    return HttpServerResponse.setHeader(yield* make({ baseUrl, vendor })[found](), "cache-control", "no-store")
  })
