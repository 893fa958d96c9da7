import { NodeFileSystem } from "@effect/platform-node"
import { FetchHttpClient } from "@effect/platform"
import { App, AppManagement, TokenFile } from "@vigil/appmgmt-client"
import { Config, Console, Effect, Layer, Option } from "effect"

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  for (const app of yield* apps.apps) yield* Console.log(app.display_name, Option.getOrUndefined(App.nameOf(app)))
})

// Reads the token once, when the layer is built.
const Apps = Layer.unwrapEffect(
  Effect.gen(function* () {
    const baseUrl = yield* Config.string("APPMGMT_BASE_URL")
    const file = yield* Config.string("APPMGMT_API_TOKEN_FILE")
    const apiToken = yield* TokenFile.read(file)
    return AppManagement.layer({ baseUrl, apiToken })
  }),
).pipe(Layer.provide([FetchHttpClient.layer, NodeFileSystem.layer]))

await program.pipe(Effect.provide(Apps), Effect.runPromise)
