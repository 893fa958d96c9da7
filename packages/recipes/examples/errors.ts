import { FetchHttpClient } from "effect/http"
import { HealthClient, type Listing, SubscriptionId } from "@vigil/health-client"
import { Chunk, Config, Console, Effect, Layer, Match, Stream } from "effect"

// Handles every error of a list. A missing tag does not compile.
const advice = Match.type<Listing.ListError>().pipe(
  Match.tag("Unauthorized", "CredentialError", () => "sign in again"),
  Match.tag("Forbidden", () => "ask for the permission"),
  Match.tag("NotFound", "LinkRefused", "RedirectRefused", () => "check the base URL and the ID"),
  Match.tag("RateLimited", "TimeoutError", "TransportError", () => "try again later"),
  Match.tag("ServiceError", ({ status }) => (status >= 500 ? "try again later" : "report it")),
  Match.tag("BodyTooLarge", "PageLimit", () => "raise the limit, or read less"),
  Match.tag("CheckpointMismatch", () => "resume with the options of the first call"),
  Match.tag("DecodeError", "InvalidEvent", "PageLoop", () => "report it to the service"),
  Match.exhaustive,
)

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const list = Stream.runCollect(health.listBySubscription(id))
  // Handles one error by its tag, and all others in one place.
  yield* list.pipe(
    Effect.catchTag("NotFound", () => Effect.succeed(Chunk.empty())),
    Effect.matchEffect({
      onFailure: (error) => Console.error(`${advice(error)}: ${error.message}`),
      onSuccess: (events) => Console.log(`${events.length} events`),
    }),
  )
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

// Rejects if the layer cannot be built, for example with ConfigError if a variable is missing.
await program.pipe(Effect.provide(Health), Effect.runPromise)
