import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"
import { start } from "./service.js"

describe("a request with a wrong method", () => {
  it.live("gets a 405 with the header Allow", () =>
    Effect.gen(function* () {
      const { apiToken, baseUrl, first, url } = yield* start()
      const events = url(`/subscriptions/${first}`)
      const cases = [
        ["POST", events, "GET, HEAD"],
        ["DELETE", url("/a/b"), "GET, HEAD"],
        ["GET", `${events}/ABCD-123/fetchEventDetails`, "POST"],
        ["GET", `${events}/ABCD-123/fetchEventDetails?$skipToken=x`, "POST"],
        ["PUT", `${events}/ABCD-123/listSecurityAdvisoryImpactedResources`, "POST, GET, HEAD"],
        ["DELETE", `${baseUrl}/v0.1/user`, "GET, HEAD"],
        ["DELETE", `${baseUrl}/v0.1/apps/ada/atlas`, "GET, HEAD"],
        ["GET", `${baseUrl}/v0.1/apps/ada/atlas/users/x`, "DELETE"],
        ["PUT", `${baseUrl}/v0.1/openapi.json`, "GET, HEAD"],
        ["POST", `${baseUrl}/health/openapi.json`, "GET, HEAD"],
        ["POST", `${baseUrl}/common/oauth2/authorize`, "GET, HEAD"],
      ] as const
      for (const [method, address, allow] of cases) {
        const { headers, status } = yield* ask(address, {
          method,
          headers: { "x-api-token": Redacted.value(apiToken) },
          ...(method === "GET" ? {} : { body: "{}" }),
        })
        expect([method, address, status, headers.get("allow")]).toEqual([method, address, 405, allow])
      }
    }),
  )
})
