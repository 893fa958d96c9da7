import { FetchHttpClient } from "@effect/platform"
import { AppManagement } from "@vigil/appmgmt-client"
import { Console, Effect, Layer, Schema } from "effect"

const App = Schema.Struct({ name: Schema.String, description: Schema.NullOr(Schema.String) })

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  const path = ["apps", "contoso", "shop"]
  const before = yield* apps.request({ method: "GET", path, response: App })
  // A POST, PUT or PATCH without its body does not compile.
  const after = yield* apps.request({
    method: "PATCH",
    path,
    request: Schema.Struct({ description: Schema.String }),
    body: { description: "The shop" },
    response: App,
  })
  yield* Console.log(before.description, after.description)
})

const Apps = AppManagement.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Apps), Effect.runPromise)
