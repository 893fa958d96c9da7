import { FetchHttpClient } from "effect/http"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const subscription = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const events = yield* health
    .listBySubscription(subscription, {
      apiVersion: "2025-04-01",
      maxPages: 100,
      onInvalid: (event) => Console.warn(event.message),
    })
    .pipe(Stream.runCount)
  yield* Console.log(`${events} events`)
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(
  Effect.catchTags({
    Unauthorized: (error) => Console.error(error.message),
    PageLimit: (error) => Console.error(error.message),
  }),
  Effect.provide(Health),
  Effect.runPromise,
)
