import { FetchHttpClient } from "@effect/platform"
import { App, AppManagement } from "@vigil/appmgmt-client"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Console, Effect, Layer, Option, Schema, Stream } from "effect"

// A service of your own on top of both clients. It takes them once, so its methods have no requirements.
class Overview extends Effect.Service<Overview>()("Overview", {
  effect: Effect.gen(function* () {
    const health = yield* HealthClient.HealthClient
    const management = yield* AppManagement.AppManagement
    const countActive = (id: SubscriptionId.SubscriptionId) =>
      health.listBySubscription(id, { queryStartTime: "30 days" }).pipe(
        Stream.filter(({ properties }) => properties?.status === "Active"),
        Stream.runCount,
      )
    const names = Effect.map(management.apps, (apps) => apps.flatMap((app) => Option.toArray(App.nameOf(app))))
    return { countActive, names }
  }),
}) {}

const program = Effect.gen(function* () {
  const overview = yield* Overview
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  const result = yield* Effect.all({ active: overview.countActive(id), names: overview.names }, { concurrency: 2 })
  yield* Console.log(`${result.active} active events, ${result.names.length} apps`)
})

// Both clients read their configuration and share one HTTP client. This is the only line that chooses a platform.
const Clients = Layer.mergeAll(HealthClient.layerConfig(), AppManagement.layerConfig())
const Main = Overview.Default.pipe(Layer.provide(Clients), Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Main), Effect.runPromise)
