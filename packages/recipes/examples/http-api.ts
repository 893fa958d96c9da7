import { ApiClient, Credential, ServiceClient } from "@vigil/core-http"
import { FetchHttpClient } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Config, Console, Effect, Schedule, Schema } from "effect"

const App = Schema.Struct({ name: Schema.String, description: Schema.NullOr(Schema.String) })
const Export = Schema.Struct({ status: Schema.Literals(["running", "succeeded", "failed"]) })
const params = { owner: Schema.String, app: Schema.String }

const Api = HttpApi.make("apps").add(
  HttpApiGroup.make("apps", { topLevel: true })
    .add(HttpApiEndpoint.get("read", "/v0.1/apps/:owner/:app", { params, success: App }))
    .add(
      HttpApiEndpoint.patch("change", "/v0.1/apps/:owner/:app", {
        params,
        payload: Schema.Struct({ description: Schema.NullOr(Schema.String) }).pipe(
          HttpApiSchema.asJson({ contentType: "application/merge-patch+json" }),
        ),
        success: App,
      }),
    )
    .add(
      HttpApiEndpoint.post("export", "/v0.1/apps/:owner/:app/exports", { params, success: HttpApiSchema.Empty(202) }),
    ),
)

const program = Effect.gen(function* () {
  const { httpClient } = yield* ServiceClient.make({
    service: "apps",
    baseUrl: yield* Config.String("SERVICE_BASE_URL"),
    credential: Credential.header("X-API-Token", yield* Config.Redacted("SERVICE_TOKEN")),
  })
  const apps = yield* ApiClient.make(Api, { httpClient })

  const shop = { params: { owner: "contoso", app: "shop" } }
  const before = yield* apps.read(shop)
  const after = yield* apps.change({ ...shop, payload: { description: "The shop" } })
  yield* Console.log(before.description, "→", after.description)

  // The response names a URL to poll until the export ends. The client refuses a URL of another origin.
  const started = yield* apps.export({ ...shop, responseMode: "response-only" })
  const operation = new URL(started.headers["location"] ?? "", started.url).href
  const poll = Effect.flatMap(httpClient.get(operation), ({ json }) =>
    Effect.flatMap(json, Schema.decodeUnknownEffect(Export)),
  )
  const { status } = yield* Effect.repeat(poll, {
    until: ({ status }) => status !== "running",
    schedule: Schedule.spaced("1 second"),
  })
  yield* Console.log(`The export ${status}.`)
})

await program.pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer), Effect.runPromise)
