import { NodeFileSystem } from "@effect/platform-node"
import { FetchHttpClient } from "effect/http"
import { Filter, HealthClient, SubscriptionId, Watch, WatchStore } from "@vigil/health-client"
import { Config, Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const watch = (eventType: string) =>
    Watch.run(id, ({ _tag, event }) => Console.log(_tag, event.name, event.properties?.title), {
      filter: Filter.eq("eventType", eventType),
      onFailure: (error) => Console.warn(error.message),
    })
  yield* Effect.forEach(["ServiceIssue", "PlannedMaintenance"], watch, { concurrency: "unbounded" })
})

const Health = HealthClient.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))
const Store = WatchStore.layerFolder("watches").pipe(Layer.provide(NodeFileSystem.layer))

await program.pipe(Effect.provide([Health, Store]), Effect.runPromise)
