import { FetchHttpClient } from "effect/http"
import { AvailabilityClient, Connection, HealthClient, Scope, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const availability = yield* AvailabilityClient.AvailabilityClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const events = Stream.runCount(health.listBySubscription(id))
  const statuses = Stream.runCount(availability.list(Scope.subscription(id)))
  yield* Console.log(...(yield* Effect.all([events, statuses], { concurrency: 2 })))
})

// Both share the rate limit, the permits, the retry budget and the token of one connection.
const Clients = Layer.mergeAll(HealthClient.layer, AvailabilityClient.layer).pipe(
  Layer.provide(Connection.layerConfig()),
  Layer.provide(FetchHttpClient.layer),
)

await program.pipe(Effect.provide(Clients), Effect.runPromise)
