import { FetchHttpClient } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import { Notification, Slack } from "@vigil/notify"
import { Config, Console, Effect, Layer, Schedule } from "effect"

const program = Effect.gen(function* () {
  const subscription = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const slack = yield* Slack.make({ url: yield* Config.Redacted("SLACK_WEBHOOK_URL") })

  yield* Watch.run(
    subscription,
    (change) => {
      const notification = Notification.fromChange(change, { subscription })
      return Effect.andThen(slack.deliver(notification), Console.log(notification.state, notification.title))
    },
    {
      retry: Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 5 })),
      onFailure: (error) => Console.warn(error.message),
    },
  )
})

const Health = HealthClient.layerConfig()

// To keep the state over restarts, use WatchStore.layerFolder.
await program.pipe(
  Effect.scoped,
  Effect.provide(Layer.merge(Health, KeyValueStore.layerMemory)),
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
