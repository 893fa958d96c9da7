/** Streams the statuses of a subscription. */
import * as Credential from "@vigil/core-http/Credential"
import * as Connection from "@vigil/health-client/Connection"
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as Scope from "@vigil/health-client/Scope"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
const credential = Credential.bearer(Redacted.make(process.argv[2]))
AvailabilityClient.AvailabilityClient.pipe(
  Effect.flatMap((availability) =>
    Stream.runForEach(availability.list(Scope.subscription(SubscriptionId.make("s1"))), ({ id }) => Effect.log(id)),
  ),
  Effect.provide(
    Layer.provide(AvailabilityClient.layer, Connection.layer({ baseUrl: "https://health.example", credential })),
  ),
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
