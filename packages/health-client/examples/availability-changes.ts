import { FetchHttpClient } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { AvailabilityClient, Feed, Scope, StatusFeed, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Schedule, Stream } from "effect"

const program = Effect.gen(function* () {
  const availability = yield* AvailabilityClient.AvailabilityClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const feed = StatusFeed.make(id, Stream.runCollect(availability.pages(Scope.subscription(id))))
  yield* Feed.run(feed, (change) => ("before" in change ? Console.log(change._tag, change.id) : Effect.void), {
    key: id,
    schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ times: 1 })),
    onFailure: (error) => Console.warn(error.message),
    onInvalid: ({ path, problem }) => Console.warn(path, problem),
  })
})

const Availability = AvailabilityClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Layer.merge(Availability, KeyValueStore.layerMemory)), Effect.runPromise)
