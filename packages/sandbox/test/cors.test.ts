import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"
import { start } from "./service.js"

const origin = "https://status.example"

/** Sends a preflight request with the headers of a browser. */
const preflight = (url: string, method: string, headers: string) =>
  ask(url, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": method, "access-control-request-headers": headers },
  })

describe("a sandbox with CORS", () => {
  it.live("allows all preflight requests of both APIs without a token", () =>
    Effect.gen(function* () {
      const { baseUrl, list } = yield* start({ cors: true })
      for (const [url, method, headers] of [
        [list(), "GET", "accept,authorization,b3,traceparent,user-agent"],
        [`${baseUrl}/v0.1/apps/ada/atlas`, "DELETE", "content-type,x-api-token"],
        [`${baseUrl}/nowhere`, "PATCH", "x-other"],
      ] as const) {
        const response = yield* preflight(url, method, headers)
        expect([response.status, response.body]).toEqual([204, ""])
        expect(response.headers.get("access-control-allow-origin")).toBe("*")
        expect(response.headers.get("access-control-allow-headers")).toBe(headers)
        expect(response.headers.get("access-control-allow-methods")?.split(", ")).toContain(method)
      }
    }),
  )

  it.live("allows pages to read every response of both APIs, and the headers that clients need", () =>
    Effect.gen(function* () {
      const { apiToken, authorization, baseUrl, list, refuse } = yield* start({ cors: true })
      const read = (url: string, headers: Record<string, string> = {}) =>
        Effect.map(ask(url, { headers: { origin, ...headers } }), (response) => [
          response.status,
          response.headers.get("access-control-allow-origin"),
          response.headers.get("access-control-expose-headers")?.split(",").slice(0, 2),
        ])
      const open = ["*", ["retry-after", "x-ms-request-id"]]
      const user = `${baseUrl}/v0.1/user`
      expect(yield* read(list(), { authorization })).toEqual([200, ...open])
      expect(yield* read(list())).toEqual([401, ...open])
      expect(yield* read(user, { "x-api-token": Redacted.value(apiToken) })).toEqual([200, ...open])
      expect(yield* read(user)).toEqual([401, ...open])
      expect(yield* read(`${baseUrl}/nowhere`)).toEqual([404, ...open])
      expect(yield* read(`${baseUrl}/health/openapi.json`)).toEqual([200, ...open])
      yield* refuse(() => 503)
      for (const url of [list(), user]) expect(yield* read(url)).toEqual([503, ...open])
    }),
  )

  it.live("sends no CORS headers for the authorize page, however its path is encoded", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* start({ cors: true })
      for (const path of ["/common/oauth2/authorize?client_id=x", "/common/oauth2/%61uthorize"]) {
        const { headers } = yield* ask(baseUrl + path, { headers: { origin } })
        expect([path, headers.get("access-control-allow-origin")]).toEqual([path, null])
        const response = yield* preflight(baseUrl + path, "POST", "content-type")
        expect([path, response.headers.get("access-control-allow-origin")]).toEqual([path, null])
      }
      for (const path of ["/common/oauth2/authorize/", "//common/oauth2/authorize"]) {
        const { body, status } = yield* ask(`${baseUrl}${path}?client_id=x`, { headers: { origin } })
        expect([path, status, body.includes("<html")]).toEqual([path, 404, false])
      }
    }),
  )
})

describe("a sandbox without CORS", () => {
  it.live("sends no CORS headers", () =>
    Effect.gen(function* () {
      const { authorization, baseUrl, list } = yield* start()
      const responses = [
        yield* ask(list(), { headers: { authorization, origin } }),
        yield* preflight(list(), "GET", "authorization"),
        yield* preflight(`${baseUrl}/v0.1/user`, "GET", "x-api-token"),
      ]
      expect(responses.map(({ status }) => status)).toEqual([200, 405, 401])
      for (const { headers } of responses)
        expect(Array.from(headers.keys()).filter((name) => name.startsWith("access-control"))).toEqual([])
    }),
  )
})
