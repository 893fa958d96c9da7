import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient } from "@effect/platform"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Schema, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Schema.Config("HEALTH_SUBSCRIPTION", SubscriptionId.SubscriptionId)
  const events = yield* Stream.runCount(health.listBySubscription(id))
  yield* Console.log(`${events} events`)
}).pipe(Effect.withSpan("nightly-report"))

// Sends spans, metrics and logs to a collector, such as http://localhost:4318, as JSON.
const Telemetry = Layer.unwrapEffect(
  Effect.map(Config.string("OTEL_EXPORTER_OTLP_ENDPOINT"), (baseUrl) =>
    Otlp.layerJson({ baseUrl, resource: { serviceName: "health-report" } }),
  ),
)

const Health = HealthClient.layerConfig()
const Main = Layer.merge(Health, Telemetry).pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Main), Effect.runPromise)
