import { FetchHttpClient } from "@effect/platform"
import { HealthClient, ImpactedResource, SubscriptionId, TrackingId } from "@vigil/health-client"
import { Console, Effect, Layer, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  const trackingId = yield* Schema.Config("TRACKING_ID", TrackingId.TrackingId)
  yield* Stream.runForEach(health.listImpactedResources(id, trackingId), (resource) =>
    Console.log(ImpactedResource.resourceName(resource), resource.properties?.targetRegion),
  )
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Health), Effect.runPromise)
