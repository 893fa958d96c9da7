import { FetchHttpClient } from "@effect/platform"
import { HealthClient, SubscriptionId, Sweep } from "@vigil/health-client"
import { Chunk, Console, Effect, Layer, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)

  const outcomes = yield* Sweep.sweep([id, SubscriptionId.make("unknown")], { concurrency: 4 }).pipe(
    Stream.tap((outcome) =>
      outcome._tag === "Failed"
        ? Console.warn(outcome.error.message)
        : Console.log(`${outcome.events.length} events of ${outcome.subscription}`),
    ),
    Stream.runCollect,
  )

  // Merges the copies of an event from several subscriptions.
  const joined = Sweep.join(Chunk.toReadonlyArray(outcomes))
  yield* Console.log(`${joined.length} events in all`)
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
