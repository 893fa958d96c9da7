import { FetchHttpClient } from "effect/http"
import { Events, Filter, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  yield* health.listBySubscription(id, { filter: Filter.eq("service", "Key Vault"), queryStartTime: "30 days" }).pipe(
    // The service selects events that affect Key Vault. This keeps those that affect it in West Europe.
    Stream.filter(Events.concerns({ service: "Key Vault", region: "West Europe" })),
    Stream.runForEach(({ name, properties }) => Console.log(name, properties?.title)),
  )
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
