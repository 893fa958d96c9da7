import { expect, it } from "@effect/vitest"
import { Credential, ServiceClient, TestHttpClient } from "@vigil/core-http"
import { HttpClientRequest } from "effect/http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

it.effect("TestHttpClient passes requests to the function and returns its responses", () =>
  Effect.gen(function* () {
    const requests: Array<TestHttpClient.TestRequest> = []
    const respond = (request: TestHttpClient.TestRequest): TestHttpClient.TestResponse => {
      requests.push(request)
      if (request.method === "DELETE") return { status: 204 }
      return { status: 418, headers: { "x-request-id": "r-1" }, json: { code: "Teapot" } }
    }
    const service = yield* ServiceClient.make({
      service: "thing",
      baseUrl: "https://service.test/base",
      credential: Credential.header("X-API-Token", Redacted.make("token")),
    }).pipe(Effect.provide(TestHttpClient.layer((request) => Effect.sync(() => respond(request)))))
    const options = { operation: "Thing.do", decode: Effect.succeed }
    const url = service.url("/thing", { a: "b c" })
    expect(yield* service.send(HttpClientRequest.delete(url), options)).toBeUndefined()
    const post = HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(url), { name: "Zürich" })
    const error = yield* Effect.flip(service.send(post, options))
    expect(error.reason).toMatchObject({ status: 418, code: "Teapot", requestId: "r-1" })
    expect(requests.map(({ body, headers, url }) => [url.href, headers["x-api-token"], body])).toEqual([
      ["https://service.test/base/thing?a=b%20c", "token", ""],
      ["https://service.test/base/thing?a=b%20c", "token", `{"name":"Zürich"}`],
    ])
  }),
)
