import { FetchHttpClient } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import { Notification, Slack } from "@vigil/notify"
import { Config, ConfigProvider, Effect, Layer, Schedule } from "effect"

// What a store needs of Workers KV. `KVNamespace` of `@cloudflare/workers-types` has more.
interface Namespace {
  readonly get: (key: string) => Promise<string | null>
  readonly put: (key: string, value: string) => Promise<void>
  readonly delete: (key: string) => Promise<void>
}

const layerKV = (namespace: Namespace) => {
  const call = <A>(method: string, key: string, run: () => Promise<A>) =>
    Effect.tryPromise({
      try: run,
      catch: (cause) => new KeyValueStore.KeyValueStoreError({ method, key, cause, message: "Workers KV failed" }),
      // KV accepts one write per second to a key. A watch stores its state before and after the handlers, and what they handled twice a second.
    }).pipe(Effect.retry(Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 4 }))))
  // A watch uses only `get`, `set` and `remove`.
  const unsupported = Effect.die("A watch does not list its store")
  return Layer.succeed(
    KeyValueStore.KeyValueStore,
    KeyValueStore.makeStringOnly({
      get: (key) =>
        Effect.map(
          call("get", key, () => namespace.get(key)),
          (text) => text ?? undefined,
        ),
      set: (key, value) => call("set", key, () => namespace.put(key, value)),
      remove: (key) => call("remove", key, () => namespace.delete(key)),
      clear: unsupported,
      keys: unsupported,
      size: unsupported,
    }),
  )
}

const watchOnce = Effect.gen(function* () {
  const subscription = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const slack = yield* Slack.make({ url: yield* Config.Redacted("SLACK_WEBHOOK_URL") })
  yield* Watch.run(subscription, (change) => slack.deliver(Notification.fromChange(change, { subscription })), {
    // One poll for each call. The first one sends no messages.
    schedule: Schedule.recurs(0),
    baseline: "skip",
  })
})

const Health = HealthClient.layerConfig().pipe(Layer.provideMerge(FetchHttpClient.layer))

export default {
  scheduled: (_: unknown, { WATCHES, ...env }: { readonly WATCHES: Namespace } & Readonly<Record<string, unknown>>) =>
    watchOnce.pipe(
      Effect.scoped,
      Effect.provide(Layer.merge(Health, layerKV(WATCHES))),
      // Variables and secrets of the Worker.
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env)),
      Effect.runPromise,
    ),
}
