import { FetchHttpClient } from "@effect/platform"
import { HealthClient, Priority, SubscriptionId } from "@vigil/health-client"
import { Chunk, Console, Effect, Layer, Option, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  const events = yield* Stream.runCollect(health.listBySubscription(id, { queryStartTime: "30 days" }))
  for (const event of Chunk.take(Chunk.sort(events, Priority.byPriority), 5))
    yield* Console.log(Option.getOrNull(Priority.priority(event)), event.name, event.properties?.title)
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
