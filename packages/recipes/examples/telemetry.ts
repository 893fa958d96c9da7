import * as Otlp from "effect/observability/Otlp"
import { FetchHttpClient } from "effect/http"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const id = yield* Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION")
  const events = yield* Stream.runCount(health.listBySubscription(id))
  yield* Console.log(`${events} events`)
}).pipe(Effect.withSpan("nightly-report"))

// Sends spans, metrics and logs to a collector, such as http://localhost:4318, as JSON.
const Telemetry = Layer.unwrap(
  Effect.map(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT"), (baseUrl) =>
    Otlp.layerJson({ baseUrl, resource: { serviceName: "health-report" } }),
  ),
)

const Health = HealthClient.layerConfig()
const Main = Layer.merge(Health, Telemetry).pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Main), Effect.runPromise)
