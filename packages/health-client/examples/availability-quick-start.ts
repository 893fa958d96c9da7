import { FetchHttpClient } from "effect/http"
import { AvailabilityClient, AvailabilityStatus, Scope, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const availability = yield* AvailabilityClient.AvailabilityClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  yield* availability.list(Scope.subscription(id)).pipe(
    Stream.filter((status) => !AvailabilityStatus.isAvailable(status)),
    Stream.runForEach((status) =>
      Console.log(
        AvailabilityStatus.resourceName(status),
        status.properties?.availabilityState,
        status.properties?.reasonType ?? "",
      ),
    ),
  )
})

// Reads HEALTH_BASE_URL, HEALTH_ACCESS_TOKEN and HEALTH_VENDOR.
const Availability = AvailabilityClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Availability), Effect.runPromise)
