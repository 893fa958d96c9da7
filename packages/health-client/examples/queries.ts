import { FetchHttpClient } from "@effect/platform"
import { Filter, HealthClient, SubscriptionId, WithDetails } from "@vigil/health-client"
import { Console, Effect, Layer, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  yield* health
    .listBySubscription(id, {
      filter: Filter.or(Filter.service("Key Vault"), Filter.region("West Europe")),
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
