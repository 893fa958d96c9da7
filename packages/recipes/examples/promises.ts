import { FetchHttpClient } from "effect/http"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Effect, Layer, ManagedRuntime, Result, Stream } from "effect"

// One runtime for the whole program. Reads HEALTH_BASE_URL, HEALTH_ACCESS_TOKEN and HEALTH_VENDOR on first use.
const runtime = ManagedRuntime.make(HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)))

// A stream sends its requests when it runs, so it can be a constant.
const id = SubscriptionId.make(process.env["HEALTH_SUBSCRIPTION"] ?? "")
const events = Stream.unwrap(Effect.map(HealthClient.HealthClient, (health) => health.listBySubscription(id)))

// All events at once. Rejects on failure. Aborting the signal cancels the current request.
const all = await runtime.runPromise(Stream.runCollect(events), { signal: AbortSignal.timeout(60_000) })
console.log(`${all.length} events`)

// One event at a time. Leaving the loop stops the list.
for await (const { properties } of Stream.toAsyncIterableWith(events, await runtime.context())) {
  console.log(properties?.title)
  break
}

// Errors as values. The reason of a failed request has a tag.
const unknown = Stream.unwrap(
  Effect.map(HealthClient.HealthClient, (health) =>
    health.listBySubscription(SubscriptionId.make("unknown-subscription")),
  ),
)
const result = await runtime.runPromise(Effect.result(Stream.runCollect(unknown)))
if (Result.isFailure(result) && result.failure._tag === "RequestError" && result.failure.reason._tag === "NotFound")
  console.log("The subscription does not exist.")

await runtime.dispose()
