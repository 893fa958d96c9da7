import { FetchHttpClient } from "effect/http"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const count = Effect.fn(function* (id: SubscriptionId.SubscriptionId) {
  const health = yield* HealthClient.HealthClient
  const events = yield* Stream.runCount(health.listBySubscription(id))
  yield* Console.log(`${events} events`)
})

const print = (advice: string) => (error: Error) => Console.error(`${advice}: ${error.message}`)

// The type `never` shows that every error is handled. A missing tag does not compile.
const handled = (id: SubscriptionId.SubscriptionId): Effect.Effect<void, never, HealthClient.HealthClient> =>
  count(id).pipe(
    // Fails with the reason instead of the error that has it.
    Effect.unwrapReason("RequestError"),
    Effect.catchTags({
      Unauthorized: print("Sign in again"),
      Credential: print("Sign in again"),
      Forbidden: print("Ask for the permission"),
      Link: print("Check the base URL"),
      NotFound: () => Console.log("The subscription does not exist."),
      Redirect: print("Check the base URL"),
      RateLimited: print("Try again later"),
      Timeout: print("Try again later"),
      Transport: print("Try again later"),
      ServiceFailure: (error) => print(error.isRetryable ? "Try again later" : "Report it to the service")(error),
      BodyTooLarge: print("Raise the limit"),
      Decode: print("Report it to the service"),
      InvalidEvent: print("Report it to the service"),
      PageLoop: print("Report it to the service"),
    }),
  )

const program = Effect.flatMap(Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION"), handled)

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

// Rejects if the layer cannot be built, for example with ConfigError if a variable is missing.
await program.pipe(Effect.provide(Health), Effect.runPromise)
