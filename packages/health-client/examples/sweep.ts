import { FetchHttpClient } from "effect/http"
import { HealthClient, SubscriptionId, Sweep } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")

  const outcomes = yield* Sweep.sweep([id, SubscriptionId.make("unknown")], { concurrency: 4 }).pipe(
    Stream.tap((outcome) =>
      outcome._tag === "Failed"
        ? Console.warn(outcome.error.message)
        : Console.log(`${outcome.events.length} events of ${outcome.subscription}`),
    ),
    Stream.runCollect,
  )

  // Merges the copies of an event from several subscriptions.
  const joined = Sweep.join(outcomes)
  yield* Console.log(`${joined.length} events in all`)
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
