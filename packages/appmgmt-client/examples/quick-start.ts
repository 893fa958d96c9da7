import { FetchHttpClient } from "effect/http"
import { AppManagement } from "@vigil/appmgmt-client"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  const user = yield* apps.user
  yield* Console.log(`The token belongs to ${user.display_name} <${user.email}>`)
})

// Reads APPMGMT_BASE_URL and APPMGMT_API_TOKEN.
const Apps = AppManagement.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Apps), Effect.runPromise)
