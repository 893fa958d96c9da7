import { Sandbox } from "@vigil/sandbox"
import { Console, Effect, Redacted } from "effect"

const program = Effect.gen(function* () {
  const { accessToken, baseUrl, world } = yield* Sandbox.Sandbox
  const [subscription] = world.subscriptions
  const path = `/subscriptions/${subscription.id}/providers/Vendor.ResourceHealth/events?api-version=2025-05-01`
  const headers = { authorization: `Bearer ${Redacted.value(accessToken)}` }
  const response = yield* Effect.promise(() => fetch(baseUrl + path, { headers }))
  const page = yield* Effect.promise(() => response.json())
  yield* Console.log(response.status, page)
})

await program.pipe(Effect.provide(Sandbox.layer()), Effect.runPromise)
