import { FetchHttpClient } from "@effect/platform"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Effect, Either, Layer, ManagedRuntime, Stream } from "effect"

// Made once, for the whole program: reads HEALTH_BASE_URL and HEALTH_ACCESS_TOKEN when it is first used.
const runtime = ManagedRuntime.make(HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)))

// All events at once. A failure rejects; with a signal that aborts, the request is given up.
const list = (id: string, signal?: AbortSignal) =>
  runtime.runPromise(
    Effect.flatMap(HealthClient.HealthClient, (health) =>
      Stream.runCollect(health.listBySubscription(SubscriptionId.make(id))),
    ),
    signal && { signal },
  )

// One by one, as they come: leaving the loop stops the reading.
const each = async (id: string) =>
  Stream.toAsyncIterableRuntime(
    Stream.flatMap(HealthClient.HealthClient, (health) => health.listBySubscription(SubscriptionId.make(id))),
    await runtime.runtime(),
  )

// Errors as values: told apart by their tag.
const attempt = (id: string) =>
  runtime.runPromise(
    Effect.flatMap(HealthClient.HealthClient, (health) =>
      Effect.either(Stream.runCollect(health.listBySubscription(SubscriptionId.make(id)))),
    ),
  )

const id = process.env["HEALTH_SUBSCRIPTION"] ?? ""
const events = await list(id)
console.log(`${events.length} events`)

for await (const { properties } of await each(id)) {
  console.log(properties?.title)
  break
}

const result = await attempt("of-somebody-else")
if (Either.isLeft(result) && result.left._tag === "NotFound") console.log("There is no such subscription.")

await runtime.dispose()
