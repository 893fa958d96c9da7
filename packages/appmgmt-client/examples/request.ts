import { FetchHttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { AppManagement } from "@vigil/appmgmt-client"
import { Console, Effect, Layer, Schema } from "effect"

const Shop = Schema.Struct({ name: Schema.String, description: Schema.NullOr(Schema.String) })

const program = Effect.gen(function* () {
  const { httpClient } = yield* AppManagement.AppManagement
  const path = "/v0.1/apps/contoso/shop"
  const before = yield* httpClient.get(path).pipe(Effect.flatMap(HttpClientResponse.schemaBodyJson(Shop)))
  const change = HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.patch(path), { description: "The shop" })
  const after = yield* httpClient.execute(change).pipe(Effect.flatMap(HttpClientResponse.schemaBodyJson(Shop)))
  yield* Console.log(before.description, after.description)
})

const Apps = AppManagement.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Apps), Effect.runPromise)
