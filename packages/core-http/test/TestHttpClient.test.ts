import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, Request, ServiceClient, TestHttpClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

const client = ServiceClient.make({
  service: "thing",
  baseUrl: "https://service.test/base",
  credential: Credential.header("X-API-Token", Redacted.make("token")),
})

const Thing = Schema.Struct({ name: Schema.String })
const decode = Decoder.fromSchema(Thing)

describe("TestHttpClient", () => {
  it.effect("passes requests to the function and returns its responses", () =>
    Effect.gen(function* () {
      const requests: Array<TestHttpClient.TestRequest> = []
      const service = yield* Effect.provide(
        client,
        TestHttpClient.layer((request) => {
          requests.push(request)
          return { json: { name: `${request.method} ${request.url.pathname}` } }
        }),
      )
      const url = service.url("/thing", { a: "b c" })
      expect(yield* service.get({ operation: "Thing.get", url, decode })).toEqual({ name: "GET /base/thing" })
      const operation = "Thing.change"
      yield* service.request({ operation, method: "PUT", url, body: { name: "Zürich" }, decode })
      yield* service.request({ operation, method: "POST", url, body: Request.noBody, decode })
      expect(requests.map(({ body, method, url }) => [method, url.search, body])).toEqual([
        ["GET", "?a=b%20c", ""],
        ["PUT", "?a=b%20c", `{"name":"Zürich"}`],
        ["POST", "?a=b%20c", ""],
      ])
      expect(requests.every(({ headers }) => headers["x-api-token"] === "token")).toBe(true)
    }),
  )

  it.effect("returns error responses, headers and empty bodies", () =>
    Effect.gen(function* () {
      const service = yield* Effect.provide(
        client,
        TestHttpClient.layer(({ method }) =>
          Effect.succeed(
            method === "GET"
              ? { status: 418, headers: { "x-request-id": "r-1" }, json: { code: "Teapot", message: "No." } }
              : { status: 204 },
          ),
        ),
      )
      const url = service.url("/thing")
      expect(yield* Effect.flip(service.get({ operation: "Thing.get", url, decode }))).toMatchObject({
        reason: { _tag: "ServiceFailure", status: 418, code: "Teapot", requestId: "r-1" },
      })
      expect(
        yield* service.request({ operation: "Thing.remove", method: "DELETE", url, decode: Decoder.ignore }),
      ).toBeUndefined()
    }),
  )
})
