import { FetchHttpClient } from "effect/http"
import { HealthClient, type Listing, type RequestError, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Match, Stream } from "effect"

// Handles every reason of a request. A missing tag does not compile.
const requestAdvice = Match.type<RequestError.RequestReason>().pipe(
  Match.tag("Unauthorized", "Credential", () => "sign in again"),
  Match.tag("Forbidden", () => "ask for the permission"),
  Match.tag("NotFound", "Link", "Redirect", () => "check the base URL and the ID"),
  Match.tag("RateLimited", "Timeout", "Transport", () => "try again later"),
  Match.tag("ServiceFailure", ({ status }) => (status >= 500 ? "try again later" : "report it")),
  Match.tag("BodyTooLarge", () => "raise the limit, or read less"),
  Match.tag("Decode", () => "report it to the service"),
  Match.exhaustive,
)

// Handles every error of a list.
const advice = Match.type<Listing.ListError>().pipe(
  Match.tag("RequestError", ({ reason }) => requestAdvice(reason)),
  Match.tag("PageLimit", () => "raise the limit, or read less"),
  Match.tag("InvalidEvent", "PageLoop", () => "report it to the service"),
  Match.exhaustive,
)

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const list = Stream.runCollect(health.listBySubscription(id))
  // Handles one reason by its tag, and all other errors in one place.
  yield* list.pipe(
    Effect.catchReason("RequestError", "NotFound", () => Effect.succeed([])),
    Effect.matchEffect({
      onFailure: (error) => Console.error(`${advice(error)}: ${error.message}`),
      onSuccess: (events) => Console.log(`${events.length} events`),
    }),
  )
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

// Rejects if the layer cannot be built, for example with ConfigError if a variable is missing.
await program.pipe(Effect.provide(Health), Effect.runPromise)
