import { FetchHttpClient } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { AvailabilityClient, Scope, StatusChanges, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Option, Schedule, Stream } from "effect"

const program = Effect.gen(function* () {
  const availability = yield* AvailabilityClient.AvailabilityClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const store = KeyValueStore.toSchemaStore(yield* KeyValueStore.KeyValueStore, StatusChanges.State)

  const poll = Effect.gen(function* () {
    const last = Option.getOrElse(yield* store.get(id), () => StatusChanges.empty)
    const pages = yield* Stream.runCollect(availability.pages(Scope.subscription(id)))
    const { changes, state } = StatusChanges.step(last, pages)
    if (!last.isNew) yield* Effect.forEach(changes, ({ _tag, id }) => Console.log(_tag, id))
    yield* store.set(id, state)
  })
  yield* Effect.repeat(poll, { schedule: Schedule.spaced("1 second"), times: 1 })
})

const Availability = AvailabilityClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Layer.merge(Availability, KeyValueStore.layerMemory)), Effect.runPromise)
