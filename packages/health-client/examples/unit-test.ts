import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Console, Effect } from "effect"

const id = SubscriptionId.make("s1")

// The real client, of a service that is not there: nothing leaves, everything else happens.
const Health = HealthClient.layerTest({
  subscriptions: { s1: [{ name: "ABCD-123", properties: { title: "Storage is slow", status: "Active" } }] },
})

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const [event] = yield* health.collectBySubscription(id)
  yield* Console.log(event?.properties?.title)
})

await program.pipe(Effect.provide(Health), Effect.runPromise)
