import { ApiClient, Credential, ServiceClient } from "@vigil/core-http"
import { FetchHttpClient } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Config, Console, Effect, Schema } from "effect"

const App = Schema.Struct({ name: Schema.String, display_name: Schema.String })

// The body is `{ "code": …, "message": … }`, without `_tag`.
const AppNotFound = Schema.Struct({ _tag: Schema.tagDefaultOmit("AppNotFound"), message: Schema.String }).pipe(
  HttpApiSchema.status(404),
)

const Api = HttpApi.make("apps").add(
  HttpApiGroup.make("apps", { topLevel: true }).add(
    HttpApiEndpoint.get("read", "/v0.1/apps/:owner/:app", {
      params: { owner: Schema.String, app: Schema.String },
      success: App,
      error: AppNotFound,
    }),
  ),
)

const program = Effect.gen(function* () {
  const service = yield* ServiceClient.make({
    service: "apps",
    baseUrl: yield* Config.String("SERVICE_BASE_URL"),
    credential: Credential.header("X-API-Token", yield* Config.Redacted("SERVICE_TOKEN")),
  })
  const apps = yield* ApiClient.make(Api, { httpClient: service.httpClient })

  const nameOf = (app: string) =>
    apps.read({ params: { owner: "ada", app } }).pipe(
      Effect.map(({ display_name }) => display_name),
      Effect.catchTag("AppNotFound", ({ message }) => Effect.succeed(message)),
    )
  yield* Console.log(yield* nameOf("atlas"), "|", yield* nameOf("missing"))
})

await program.pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer), Effect.runPromise)
