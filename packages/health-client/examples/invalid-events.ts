import { FetchHttpClient } from "effect/http"
import { HealthClient, Listing, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const events = yield* health
    .pagesBySubscription(id, { apiVersion: "2025-04-01", maxPages: 100 })
    .pipe(
      Listing.items({ onInvalid: ({ path, problem }) => Console.warn(`invalid: ${path} ${problem}`) }),
      Stream.runCount,
    )
  yield* Console.log(`${events} events`)
}).pipe(
  Effect.catchReason("RequestError", "Unauthorized", ({ message }) => Console.error(message)),
  Effect.catchTag("PageLimit", ({ message }) => Console.error(message)),
)

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
