import { FetchHttpClient } from "effect/http"
import { HealthClient, Priority, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Option, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const events = yield* Stream.runCollect(health.listBySubscription(id, { queryStartTime: "30 days" }))
  for (const event of events.toSorted(Priority.byPriority).slice(0, 5))
    yield* Console.log(Option.getOrNull(Priority.priority(event)), event.name, event.properties?.title)
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
