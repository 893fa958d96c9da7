import { FetchHttpClient } from "effect/http"
import { App, AppManagement } from "@vigil/appmgmt-client"
import { HealthClient, HealthEvent, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Context, Effect, Layer, Stream } from "effect"

// A service of your own on top of clients. It takes them once, so its methods have no requirements.
class Overview extends Context.Service<Overview>()("Overview", {
  make: Effect.gen(function* () {
    const health = yield* HealthClient.HealthClient
    const management = yield* AppManagement.AppManagement
    const countActive = (id: SubscriptionId.SubscriptionId) =>
      health.listBySubscription(id, { queryStartTime: "30 days" }).pipe(
        Stream.filter((event) => !HealthEvent.isResolved(event)),
        Stream.runCount,
      )
    const names = Effect.map(management.apps, (apps) => apps.flatMap((app) => App.nameOf(app) ?? []))
    return { countActive, names }
  }),
}) {
  static readonly layer = Layer.effect(Overview, Overview.make)
}

const program = Effect.gen(function* () {
  const overview = yield* Overview
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const result = yield* Effect.all({ active: overview.countActive(id), names: overview.names }, { concurrency: 2 })
  yield* Console.log(`${result.active} active events, ${result.names.length} apps`)
})

// The clients read their configuration and share one HTTP client. This is the only line that chooses a platform.
const Clients = Layer.mergeAll(HealthClient.layerConfig(), AppManagement.layerConfig())
const Main = Overview.layer.pipe(Layer.provide(Clients), Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Main), Effect.runPromise)
