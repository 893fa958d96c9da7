import { FetchHttpClient } from "effect/http"
import { HealthClient, ImpactedResource, Listing, SubscriptionId, TrackingId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const trackingId = yield* Config.schema(TrackingId.TrackingId, "TRACKING_ID")
  yield* health.pagesOfImpactedResources(id, trackingId).pipe(
    Listing.items({ onInvalid: ({ path, problem }) => Console.warn(`invalid: ${path} ${problem}`) }),
    Stream.runForEach((resource) =>
      Console.log(ImpactedResource.resourceName(resource), resource.properties?.targetRegion),
    ),
  )
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
