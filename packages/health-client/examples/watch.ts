import { FetchHttpClient, KeyValueStore } from "@effect/platform"
import { HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import { Console, Effect, Layer, Schedule, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
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
