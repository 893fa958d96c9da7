import { FetchHttpClient, KeyValueStore } from "@effect/platform"
import { Checkpoint, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Console, Effect, Layer, Option, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  const store = (yield* KeyValueStore.KeyValueStore).forSchema(Checkpoint.Checkpoint)

  // Each run reads two pages and resumes after the previous run. All runs pass the same options.
  const run = Effect.gen(function* () {
    const from = Option.getOrUndefined(yield* store.get("health"))
    yield* health.pagesBySubscription(id, { from, queryStartTime: "90 days" }).pipe(
      Stream.take(2),
      Stream.runForEach(({ checkpoint, items }) =>
        Effect.zipRight(
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
