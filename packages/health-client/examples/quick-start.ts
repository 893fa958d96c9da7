import { FetchHttpClient } from "effect/http"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  yield* Stream.runForEach(health.listBySubscription(id), ({ properties }) => Console.log(properties?.title))
})

// Reads HEALTH_BASE_URL, HEALTH_ACCESS_TOKEN and HEALTH_VENDOR.
const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
