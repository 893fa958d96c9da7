import { FetchHttpClient } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Schedule, Stream } from "effect"

const program = Effect.gen(function* () {
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const store = yield* KeyValueStore.KeyValueStore

  yield* Watch.watch(id, {
    store,
    schedule: Schedule.spaced("5 minutes"),
    onFailure: (error) => Console.warn(error.message),
  }).pipe(
    // Stops after ten changes.
    Stream.take(10),
    Stream.runForEach((change) => Console.log(change._tag, change.event.name, change.event.properties?.title)),
  )
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

// To keep the state over restarts, use a persistent KeyValueStore.
await program.pipe(Effect.provide(Layer.merge(Health, KeyValueStore.layerMemory)), Effect.runPromise)
