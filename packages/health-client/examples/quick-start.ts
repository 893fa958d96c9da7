import { FetchHttpClient } from "@effect/platform"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Console, Effect, Layer, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const subscription = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  yield* health
    .listBySubscription(subscription)
    .pipe(Stream.runForEach(({ name, properties }) => Console.log(name, properties?.status, properties?.title)))
})

// Reads HEALTH_BASE_URL and HEALTH_ACCESS_TOKEN.
const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
