import { FetchHttpClient } from "effect/http"
import { Filter, HealthClient, HealthEvent, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const filter = Filter.and(Filter.eq("eventType", "ServiceIssue"), Filter.eq("status", "Active"))
  yield* health.listBySubscription(id, { filter, queryStartTime: "30 days" }).pipe(
    // The severity is `eventLevel`. `level` often differs or is null: `knownLevel` returns the first known one of the two.
    Stream.runForEach((event) => Console.log(HealthEvent.knownLevel(event), event.name, event.properties?.title)),
  )
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
