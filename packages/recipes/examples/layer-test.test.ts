import { expect, it } from "@effect/vitest"
import { HealthClient, HealthEvent, SubscriptionId } from "@vigil/health-client"
import { Effect, Stream } from "effect"

// The code under test: any effect that needs the client.
const activeTitles = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const titles = health.listBySubscription(SubscriptionId.make("s1")).pipe(
    Stream.filter((event) => !HealthEvent.isResolved(event)),
    Stream.map(({ properties }) => properties?.title),
  )
  return Array.from(yield* Stream.runCollect(titles))
})

it.effect("returns the titles of active events", () =>
  Effect.gen(function* () {
    expect(yield* activeTitles).toEqual(["Storage is slow"])
  }).pipe(
    Effect.provide(
      HealthClient.layerTest({
        subscriptions: {
          s1: [
            { name: "A1", properties: { title: "Storage is slow", status: "Active" } },
            { name: "A2", properties: { title: "DNS was down", status: "Resolved" } },
          ],
        },
      }),
    ),
  ),
)

it.effect("fails with the reason NotFound for an unknown subscription", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(activeTitles)
    expect(error).toMatchObject({ _tag: "RequestError", reason: { _tag: "NotFound" } })
  }).pipe(Effect.provide(HealthClient.layerTest())),
)
