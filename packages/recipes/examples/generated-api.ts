import { ApiClient, Credential, ServiceClient } from "@vigil/core-http"
import { FetchHttpClient } from "effect/http"
import { Config, Console, Effect } from "effect"
import { AppManagement } from "./AppManagement.js"

const program = Effect.gen(function* () {
  const { httpClient } = yield* ServiceClient.make({
    service: "apps",
    baseUrl: yield* Config.String("SERVICE_BASE_URL"),
    credential: Credential.header("X-API-Token", yield* Config.Redacted("SERVICE_TOKEN")),
  })
  const { apps } = yield* ApiClient.make(AppManagement, { httpClient })

  const nameOf = (app: string) =>
    apps.getApp({ params: { owner: "ada", app } }).pipe(
      Effect.map(({ display_name }) => display_name),
      Effect.catch((error) => Effect.succeed(error.message)),
    )
  yield* Console.log(yield* nameOf("atlas"), "|", yield* nameOf("missing"))
})

await program.pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer), Effect.runPromise)
