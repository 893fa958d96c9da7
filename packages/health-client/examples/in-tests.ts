import { FetchHttpClient } from "@effect/platform"
import { Credential, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Sandbox } from "@vigil/sandbox"
import { Console, Effect, Layer, Stream } from "effect"

// A client of a sandbox. The sandbox stops with the layer.
const Health = Layer.unwrapEffect(
  Effect.map(Sandbox.Sandbox, ({ accessToken, baseUrl }) =>
    HealthClient.layer({ baseUrl, credential: Credential.bearer(accessToken) }),
  ),
).pipe(Layer.provideMerge(Sandbox.layer({ seed: 2 })), Layer.provide(FetchHttpClient.layer))

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const { world } = yield* Sandbox.Sandbox
  const subscription = SubscriptionId.make(world.subscriptions[0].id)
  const active = yield* health.listBySubscription(subscription).pipe(
    Stream.filter(({ properties }) => properties?.status === "Active"),
    Stream.runCount,
  )
  yield* Console.log(`${active} active events`)
})

await program.pipe(Effect.provide(Health), Effect.runPromise)
