import { FetchHttpClient } from "effect/http"
import { AppManagement, Decoder } from "@vigil/appmgmt-client"
import { Console, Effect, Layer, Schema } from "effect"

const decode = Decoder.fromSchema(Schema.Struct({ name: Schema.String, description: Schema.NullOr(Schema.String) }))

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  const url = apps.url("/v0.1/apps/contoso/shop")
  const before = yield* apps.request({ operation: "Shop.read", method: "GET", url, decode })
  // A POST, PUT or PATCH without a body does not compile.
  const body = { description: "The shop" }
  const after = yield* apps.request({ operation: "Shop.change", method: "PATCH", url, body, decode })
  yield* Console.log(before.description, after.description)
})

const Apps = AppManagement.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Apps), Effect.runPromise)
