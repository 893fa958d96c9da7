import { FetchHttpClient } from "effect/http"
import { AvailabilityClient, ResourceUri, Scope } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const availability = yield* AvailabilityClient.AvailabilityClient
  const uri = yield* Config.schema(ResourceUri.ResourceUri, "RESOURCE_ID")
  const { properties } = yield* availability.current(uri, { recommendedActions: true })
  yield* Console.log(properties?.availabilityState, properties?.summary)
  for (const { action } of properties?.recommendedActions ?? []) yield* Console.log("Action:", action)
  yield* availability
    .list(Scope.resource(uri))
    .pipe(
      Stream.runForEach(({ properties }) =>
        Console.log("Since", properties?.occuredTime, properties?.availabilityState),
      ),
    )
})

const Availability = AvailabilityClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Availability), Effect.runPromise)
