import { FetchHttpClient } from "effect/http"
import { ApiVersion, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  // Without an option, events have the type of version 2025-05-01.
  const events = yield* Stream.runCount(health.listBySubscription(id))
  const earlier = yield* Stream.runCount(health.listBySubscription(id, { apiVersion: "2025-04-01" }))
  // Events of any other version have the type of ApiVersion.latest.
  const other = health.listBySubscription(id, { apiVersion: ApiVersion.other("2024-02-01") })
  // The sandbox does not support this version, so that the list fails. A service that supports it returns events.
  const error = yield* Effect.flip(Stream.runDrain(other))
  yield* Console.log(`${events} events, ${earlier} events. ${error.message}`)
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
