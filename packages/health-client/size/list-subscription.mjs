/** Streams the events of a subscription. */
import * as Credential from "@vigil/core-http/Credential"
import * as Connection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
const credential = Credential.bearer(Redacted.make(process.argv[2]))
HealthClient.HealthClient.pipe(
  Effect.flatMap((health) =>
    Stream.runForEach(health.listBySubscription(SubscriptionId.SubscriptionId.make("s1")), ({ name }) =>
      Effect.log(name),
    ),
  ),
  Effect.provide(
    Layer.provide(HealthClient.layer, Connection.layer({ baseUrl: "https://health.example", credential })),
  ),
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
