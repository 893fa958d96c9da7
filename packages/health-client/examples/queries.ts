import { FetchHttpClient } from "effect/http"
import { Filter, HealthClient, SubscriptionId, WithDetails } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  yield* health
    .listBySubscription(id, {
      filter: Filter.or(Filter.eq("service", "Key Vault"), Filter.eq("region", "West Europe")),
      queryStartTime: "30 days",
    })
    .pipe(
      // Fetches the texts that lists withhold. On failure, the event is emitted as listed.
      WithDetails.withDetails(id, { onFailure: (error) => Console.warn(error.message) }),
      Stream.runForEach(({ name, properties }) => Console.log(name, properties?.summary)),
    )
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
