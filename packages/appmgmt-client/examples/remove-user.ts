import { FetchHttpClient } from "effect/http"
import { AppManagement, AppName, Email } from "@vigil/appmgmt-client"
import { Console, Effect, Layer } from "effect"

const app = AppName.make("contoso", "shop")

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  const removal = yield* apps.removeUser(app, Email.make("ada+test@example.org"))
  yield* Console.log(removal._tag === "Removed" ? "Removed." : removal.note)
}).pipe(
  Effect.catchReasons("RemoveUserError", {
    UserNotFound: (_, error) => Console.error(error.message),
    AppNotFound: (_, error) => Console.error(error.message),
  }),
)

// Reads APPMGMT_BASE_URL and APPMGMT_API_TOKEN.
const Apps = AppManagement.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Apps), Effect.runPromise)
