import { FetchHttpClient } from "effect/http"
import { LanguageModel } from "effect/ai"
import { AvailabilityClient, Connection, HealthClient, SubscriptionId } from "@vigil/health-client"
import { HealthTools } from "@vigil/health-tools"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const response = yield* LanguageModel.generateText({
    prompt: "Is anything wrong with my subscription?",
    toolkit: HealthTools.toolkit,
  })
  yield* Console.log(response.toolResults[0]?.result)
})

const Tools = Layer.unwrap(
  Effect.map(Config.schema(SubscriptionId.SubscriptionId, "HEALTH_SUBSCRIPTION"), (id) =>
    HealthTools.layer({ subscriptions: [id] }),
  ),
).pipe(
  Layer.provide([HealthClient.layer, AvailabilityClient.layer]),
  Layer.provide(Connection.layerConfig()),
  Layer.provide(FetchHttpClient.layer),
)

// Stands for a model, such as that of `@effect/ai-anthropic`. It calls one tool.
const Model = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({
    generateText: () =>
      Effect.succeed([{ type: "tool-call", id: "1", name: "health_summary", params: { status: ["Active"] } }]),
    streamText: () => Stream.empty,
  }),
)

await program.pipe(Effect.provide(Layer.merge(Tools, Model)), Effect.runPromise)
