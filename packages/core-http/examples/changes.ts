import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { Credential, Retry, ServiceClient } from "@vigil/core-http"
import { Config, Console, Effect } from "effect"

const program = Effect.gen(function* () {
  const service = yield* ServiceClient.make({
    service: "profiles",
    baseUrl: yield* Config.String("SERVICE_BASE_URL"),
    credential: Credential.header("X-API-Token", yield* Config.Redacted("SERVICE_TOKEN")),
    retry: Retry.exponential("500 millis", 5),
    maxRetryAfter: "10 seconds",
    rateLimit: { requests: 100, per: "1 minute" },
  })
  const rename = HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.patch("/v0.1/user"), { display_name: "Ada" })
  yield* service.httpClient.execute(rename)
})

await program.pipe(
  Effect.catchReasons("RequestError", {
    RateLimited: ({ retryAfter }) => Console.error("Too many requests.", retryAfter),
    NotFound: (_, error) => Console.error(error.message),
  }),
  Effect.scoped,
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
