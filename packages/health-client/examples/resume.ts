import { FetchHttpClient } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { Checkpoint, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Option, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const store = KeyValueStore.toSchemaStore(yield* KeyValueStore.KeyValueStore, Checkpoint.Checkpoint)

  // Each run reads two pages and resumes after the previous run. All runs pass the same options.
  const run = Effect.gen(function* () {
    const from = Option.getOrUndefined(yield* store.get("health"))
    yield* health.pagesBySubscription(id, { from, queryStartTime: "90 days" }).pipe(
      Stream.take(2),
      Stream.runForEach(({ checkpoint, items }) =>
        Effect.andThen(
          Console.log(`page ${checkpoint.pages}: ${items.length} events, ${checkpoint.items} so far`),
          store.set("health", checkpoint),
        ),
      ),
    )
  })
  yield* run
  yield* run
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Layer.merge(Health, KeyValueStore.layerMemory)), Effect.runPromise)
