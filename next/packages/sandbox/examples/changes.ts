import { Sandbox, World } from "@vigil/sandbox"
import { Console, Effect, Redacted } from "effect"

const program = Effect.gen(function* () {
  const { accessToken, baseUrl, change, maxInFlight, refuse, requests, world } = yield* Sandbox.Sandbox
  const [{ id }] = world.subscriptions
  const headers = { authorization: `Bearer ${Redacted.value(accessToken)}` }
  const filter = encodeURIComponent("properties/title eq 'Fire drill'")
  const url = `${baseUrl}/subscriptions/${id}/providers/Vendor.ResourceHealth/events?api-version=2025-05-01&$filter=${filter}`
  const status = Effect.promise(async () => (await fetch(url, { headers })).status)
  const count = Effect.promise(async () => {
    const { value } = (await (await fetch(url, { headers })).json()) as { value: ReadonlyArray<unknown> }
    return value.length
  })

  const drill: World.WorldEvent = {
    event: {
      id: "/providers/Vendor.ResourceHealth/events/DRLL-001",
      name: "DRLL-001",
      properties: { title: "Fire drill" },
    },
    lastUpdate: world.now,
    subscriptions: [id],
    resources: [],
  }
  yield* Console.log("Before:", yield* count)
  yield* change(World.put(drill))
  yield* Console.log("With the drill:", yield* count)
  yield* change(World.setNow(world.now + 4 * 24 * 60 * 60 * 1000))
  yield* Console.log("Four days later:", yield* count)

  yield* refuse(({ target }) => (target.includes(id) ? 503 : undefined))
  yield* Console.log("Refused:", yield* status)
  yield* Console.log("Requests:", (yield* requests).length, "In flight:", yield* maxInFlight)
})

await program.pipe(Effect.provide(Sandbox.layer()), Effect.runPromise)
