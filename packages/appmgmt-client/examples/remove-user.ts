import { FetchHttpClient } from "@effect/platform"
import { ApiToken, AppManagement, AppName, Email } from "@vigil/appmgmt-client"
import { Config, Console, Effect, Layer } from "effect"

const app = AppName.make("contoso", "shop")

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  const removal = yield* apps.removeUser(app, Email.make("ada+test@example.org"))
  yield* Console.log(removal._tag === "Removed" ? "Removed." : removal.note)
}).pipe(
  Effect.catchTags({
    UserNotFound: (error) => Console.error(error.message),
    AppNotFound: (error) => Console.error(error.message),
  }),
)

// The description of the token limits calls to its rights. Reads the base URL from APPMGMT_BASE_URL.
const Apps = AppManagement.layerConfig({
  apiToken: Config.map(Config.redacted("APPMGMT_API_TOKEN"), (secret) =>
    ApiToken.app({ secret, app, access: "full", name: "clean-up" }),
  ),
}).pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Apps), Effect.runPromise)
