import { FetchHttpClient } from "@effect/platform"
import { HealthClient, type Listing, SubscriptionId } from "@vigil/health-client"
import { Chunk, Console, Effect, Layer, Match, Schema, Stream } from "effect"

// Every way in which a list can fail: leave one out, and it does not compile.
const todo = Match.type<Listing.ListError>().pipe(
  Match.tag("Unauthorized", "CredentialError", () => "sign in again"),
  Match.tag("Forbidden", () => "ask for the right to"),
  Match.tag("NotFound", "LinkRefused", "RedirectRefused", () => "check the address and the id"),
  Match.tag("RateLimited", "TimeoutError", "TransportError", () => "try again later"),
  Match.tag("ServiceError", "LengthRequired", ({ status }) => (status >= 500 ? "try again later" : "report it")),
  Match.tag("InvalidQuery", () => "correct the query"),
  Match.tag("BodyTooLarge", "PageLimit", () => "raise the limit, or ask for less"),
  Match.tag("CheckpointMismatch", () => "resume with the options that the list was started with"),
  Match.tag("DecodeError", "InvalidEvent", "PageLoop", () => "report it to the service"),
  Match.exhaustive,
)

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  const list = Stream.runCollect(health.listBySubscription(id))
  // One error is handled by its tag, all others in one place.
  const events = yield* list.pipe(
    Effect.catchTag("NotFound", () => Effect.succeed(Chunk.empty())),
    Effect.tapError((error) => Console.error(`${todo(error)}: ${error.message}`)),
  )
  yield* Console.log(`${events.length} events`)
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.ignore, Effect.runPromise)
