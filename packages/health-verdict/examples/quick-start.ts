import {
  AvailabilityClient,
  AvailabilityStatus,
  Connection,
  HealthClient,
  Scope,
  SubscriptionId,
} from "@vigil/health-client"
import { Causes, Explain } from "@vigil/health-verdict"
import { Clock, Config, Console, Effect, Layer, Option, Stream } from "effect"
import { FetchHttpClient } from "effect/http"

const program = Effect.gen(function* () {
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const availability = yield* AvailabilityClient.AvailabilityClient
  const resources = yield* Stream.runCollect(availability.list(Scope.subscription(id)))

  // All resources, by lists of events.
  const causes = yield* Causes.read([id])
  const assess = Causes.assess(causes, yield* Clock.currentTimeMillis)
  for (const status of resources) {
    const { evidence, state, verdict } = assess(status)
    yield* Console.log(AvailabilityStatus.resourceName(status), state, verdict, evidence?.title)
  }

  // One of them, also by its history.
  const [first] = resources.map(AvailabilityStatus.resourceId)
  const target = Explain.parse(first ?? "")
  if (Option.isNone(target)) return
  const { because, suspect, verdict } = yield* Explain.explain(target.value)
  yield* Console.log(verdict, (because ?? suspect)?.title)
})

const Clients = Layer.mergeAll(HealthClient.layer, AvailabilityClient.layer).pipe(
  Layer.provide(Connection.layerConfig()),
  Layer.provide(FetchHttpClient.layer),
)

await program.pipe(Effect.provide(Clients), Effect.runPromise)
