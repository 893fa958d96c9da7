import { FetchHttpClient } from "effect/http"
import { Credential, Decoder, ServiceClient } from "@vigil/core-http"
import { Config, Console, Effect, Schema } from "effect"

const Profile = Schema.Struct({ name: Schema.String, email: Schema.String })

const program = Effect.gen(function* () {
  const service = yield* ServiceClient.make({
    service: "profiles",
    baseUrl: yield* Config.String("SERVICE_BASE_URL"),
    credential: Credential.header("X-API-Token", yield* Config.Redacted("SERVICE_TOKEN")),
  })
  const profile = yield* service.get({
    operation: "Profile.read",
    url: service.url("/v0.1/user"),
    decode: Decoder.fromSchema(Profile),
  })
  yield* Console.log(`${profile.name} <${profile.email}>`)
})

await program.pipe(
  Effect.catchReason("RequestError", "NotFound", () => Console.error("There is no profile.")),
  Effect.scoped,
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
