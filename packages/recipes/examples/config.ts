import { FetchHttpClient } from "effect/http"
import { Credential, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const events = yield* Stream.runCollect(
    health.listBySubscription(SubscriptionId.make(yield* Config.String("STATUS_SUBSCRIPTION"))),
  )
  yield* Console.log(`${events.length} events`)
})

// An invalid value fails with ConfigError when the layer is built.
const Health = HealthClient.layerConfig({
  baseUrl: Config.String("STATUS_URL"),
  credential: Config.map(Config.Redacted("STATUS_TOKEN"), Credential.bearer),
  concurrency: Config.withDefault(Config.Int("STATUS_CONCURRENCY"), 16),
}).pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(
  // Provide the layer first: catchTag then handles its errors as well.
  Effect.provide(Health),
  Effect.catchReason("RequestError", "Unauthorized", (_, error) => Console.error(error.message)),
  Effect.catchTag("InvalidSetting", (error) => Console.error(error.message)),
  Effect.runPromise,
)
