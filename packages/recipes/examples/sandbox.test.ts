import { FetchHttpClient } from "effect/http"
import { expect, layer } from "@effect/vitest"
import { Connection, Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import { Sandbox, type World } from "@vigil/sandbox"
import { Effect, Layer, Stream } from "effect"

// One sandbox and one client for all tests of the block. The client retries without waiting.
const Health = Layer.unwrap(
  Effect.map(Sandbox.Sandbox, ({ accessToken, baseUrl }) =>
    HealthClient.layer.pipe(
      Layer.provide(
        Connection.layer({
          baseUrl,
          credential: Credential.bearer(accessToken),
          retry: Retry.exponential(0, 3),
        }),
      ),
    ),
  ),
).pipe(Layer.provideMerge(Sandbox.layer({ seed: 7 })), Layer.provide(FetchHttpClient.layer))

layer(Health, { excludeTestServices: true })("with a sandbox", (it) => {
  it.effect("lists an event that was added to the world", () =>
    Effect.gen(function* () {
      const { change, world } = yield* Sandbox.Sandbox
      const health = yield* HealthClient.HealthClient
      const id = SubscriptionId.make(world.subscriptions[0].id)
      const drill: World.WorldEvent = {
        event: { id: "drill", name: "DRLL-001", properties: { title: "Fire drill" } },
        lastUpdate: world.now,
        subscriptions: [id],
        resources: [],
      }
      yield* change((now) => ({ ...now, events: [drill, ...now.events] }))
      const events = yield* Stream.runCollect(health.listBySubscription(id))
      const titles = Array.from(events, ({ properties }) => properties?.title)
      expect(titles).toContain("Fire drill")
    }),
  )

  it.effect("retries 503 three times, then fails", () =>
    Effect.gen(function* () {
      const { refuse, requests, world } = yield* Sandbox.Sandbox
      const health = yield* HealthClient.HealthClient
      const before = (yield* requests).length
      yield* refuse(() => 503)
      const error = yield* Effect.flip(
        Stream.runDrain(health.listBySubscription(SubscriptionId.make(world.subscriptions[0].id))),
      )
      yield* refuse(() => undefined)
      expect(error).toMatchObject({ reason: { _tag: "ServiceFailure", status: 503 } })
      expect((yield* requests).length - before).toBe(4)
    }),
  )
})
