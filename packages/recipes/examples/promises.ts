import { FetchHttpClient } from "@effect/platform"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Effect, Either, Layer, ManagedRuntime, Stream } from "effect"

// One runtime for the whole program. Reads HEALTH_BASE_URL and HEALTH_ACCESS_TOKEN on first use.
const runtime = ManagedRuntime.make(HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)))

// Returns all events at once. Rejects on failure. Aborting the signal cancels the request.
const list = (id: string, signal?: AbortSignal) =>
  runtime.runPromise(
    Effect.flatMap(HealthClient.HealthClient, (health) =>
      Stream.runCollect(health.listBySubscription(SubscriptionId.make(id))),
    ),
    signal && { signal },
  )

// Returns events one by one. Leaving the loop stops the list.
const iterate = async (id: string) =>
  Stream.toAsyncIterableRuntime(
    Stream.flatMap(HealthClient.HealthClient, (health) => health.listBySubscription(SubscriptionId.make(id))),
    await runtime.runtime(),
  )

// Returns errors as values, with their tag.
const listEither = (id: string) =>
  runtime.runPromise(
    Effect.flatMap(HealthClient.HealthClient, (health) =>
      Effect.either(Stream.runCollect(health.listBySubscription(SubscriptionId.make(id)))),
    ),
  )

const id = process.env["HEALTH_SUBSCRIPTION"] ?? ""
const events = await list(id)
console.log(`${events.length} events`)

for await (const { properties } of await iterate(id)) {
  console.log(properties?.title)
  break
}

const result = await listEither("unknown-subscription")
if (Either.isLeft(result) && result.left._tag === "NotFound") console.log("The subscription does not exist.")

await runtime.dispose()
