/** Sends a GET request with retries. */
import * as Credential from "@vigil/core-http/Credential"
import * as Decoder from "@vigil/core-http/Decoder"
import * as Retry from "@vigil/core-http/Retry"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
const Profile = Schema.Struct({ name: Schema.String })
ServiceClient.make({
  service: "profiles",
  baseUrl: "https://service.example",
  credential: Credential.none,
  retry: Retry.exponential("200 millis", 5),
}).pipe(
  Effect.flatMap((service) =>
    service.get({ operation: "profile", url: service.url("/user"), decode: Decoder.fromSchema(Profile) }),
  ),
  Effect.flatMap(({ name }) => Effect.log(name)),
  Effect.scoped,
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
