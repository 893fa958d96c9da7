import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Console, Effect, Option, Stream } from "effect"

// The real client over an in-memory service. The second subscription fails once, the third always. Retries do not wait.
const Health = HealthClient.layerTest({
  subscriptions: {
    s1: [{ name: "ABCD-123", properties: { title: "Storage is slow", status: "Active" } }],
    s2: {
      responses: [
        { status: 503, headers: { "retry-after": "9" } },
        [{ name: "EFGH-456", properties: { title: "DNS was down" } }],
      ],
    },
    s3: { status: 403, body: { error: { code: "AuthorizationFailed", message: "No access." } } },
  },
})

const titleOf = (id: string) =>
  Effect.gen(function* () {
    const health = yield* HealthClient.HealthClient
    const event = yield* Stream.runHead(health.listBySubscription(SubscriptionId.make(id)))
    return Option.getOrUndefined(event)?.properties?.title
  }).pipe(Effect.catchReason("RequestError", "Forbidden", ({ detail }) => Effect.succeed(detail)))

const program = Effect.forEach(["s1", "s2", "s3"], (id) => Effect.flatMap(titleOf(id), Console.log))

await program.pipe(Effect.provide(Health), Effect.runPromise)
