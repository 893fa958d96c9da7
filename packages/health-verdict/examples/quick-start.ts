import { AvailabilityClient, AvailabilityStatus, Connection, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Explain, Picture, Subject } from "@vigil/health-verdict"
import { Config, Console, Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"

const program = Effect.gen(function* () {
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")

  // All resources, by the events of the subscription, of the tenant and of everyone.
  const picture = yield* Picture.read({ subscriptions: [id] })
  const assess = Picture.assess(picture)
  const resources = picture.statuses.flatMap(({ statuses }) => statuses)
  for (const status of resources) {
    const { evidence, state, verdict } = assess(status)
    yield* Console.log(AvailabilityStatus.resourceName(status), state, verdict, evidence?.title)
  }
  for (const { problem, subject } of picture.events)
    if (problem !== undefined) yield* Console.log("Not read:", Subject.key(subject), problem)

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
