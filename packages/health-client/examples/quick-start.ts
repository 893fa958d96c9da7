import { FetchHttpClient } from "@effect/platform"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Console, Effect, Layer, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  yield* Stream.runForEach(health.listBySubscription(id), ({ properties }) => Console.log(properties?.title))
})

// Reads HEALTH_BASE_URL, HEALTH_ACCESS_TOKEN and HEALTH_VENDOR.
const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
