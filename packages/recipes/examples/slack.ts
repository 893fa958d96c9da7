import { FetchHttpClient } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import { Notification, Slack } from "@vigil/notify"
import { Config, Console, Effect, Layer, Schedule, Stream } from "effect"

const program = Effect.gen(function* () {
  const subscription = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const slack = yield* Slack.make({ url: yield* Config.Redacted("SLACK_WEBHOOK_URL") })

  yield* Watch.watch(subscription, {
    store: yield* KeyValueStore.KeyValueStore,
    schedule: Schedule.spaced("5 minutes"),
    onFailure: (error) => Console.warn(error.message),
  }).pipe(
    // Stops after ten changes.
    Stream.take(10),
    Stream.map((change) => Notification.fromChange(change, { subscription })),
    Stream.runForEach((notification) =>
      slack.deliver(notification).pipe(
        Effect.andThen(Console.log(notification.state, notification.title)),
        Effect.catch((error) => Console.warn(error.message)),
      ),
    ),
  )
})

const Health = HealthClient.layerConfig()

// To keep the state over restarts, use a persistent KeyValueStore.
await program.pipe(
  Effect.scoped,
  Effect.provide(Layer.merge(Health, KeyValueStore.layerMemory)),
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
