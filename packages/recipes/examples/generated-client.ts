import { Credential, Request, ServiceClient } from "@vigil/core-http"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { Config, Console, Effect, Layer, Schema } from "effect"

const Service = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const service = yield* ServiceClient.make({
      service: "apps",
      baseUrl: yield* Config.String("SERVICE_BASE_URL"),
      credential: Credential.header("X-API-Token", yield* Config.Redacted("SERVICE_TOKEN")),
    })
    return Request.toHttpClient(service.httpClient)
  }),
)

// Stands for a generated client: it takes the `HttpClient` from the context, and reads the status itself.
const readUser = HttpClient.get("/v0.1/user").pipe(
  Effect.flatMap(
    HttpClientResponse.matchStatus({
      200: HttpClientResponse.schemaBodyJson(Schema.Struct({ display_name: Schema.String })),
      orElse: ({ status }) => Effect.succeed({ display_name: `nobody (${status})` }),
    }),
  ),
)

const program = Effect.flatMap(readUser, ({ display_name }) => Console.log(display_name))

await program.pipe(Effect.provide(Layer.provide(Service, FetchHttpClient.layer)), Effect.runPromise)
