/** A page that lists the event titles of a subscription, or shows the error. It does not retry. */
import * as Credential from "@vigil/core-http/Credential"
import * as Retry from "@vigil/core-http/Retry"
import * as Connection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"

const { baseUrl = "", subscription = "", token = "" } = document.body.dataset

const show = (text: string) =>
  Effect.sync(() => {
    const line = document.createElement("p")
    line.textContent = text
    document.body.append(line)
  })

const list = Effect.flatMap(HealthClient.HealthClient, (health) =>
  Stream.runForEach(
    health.listBySubscription(SubscriptionId.make(subscription), { queryStartTime: "90 days" }),
    ({ properties }) => show(properties?.title ?? ""),
  ),
)

const credential = Credential.bearer(Redacted.make(token))
const Health = HealthClient.layer.pipe(Layer.provide(Connection.layer({ baseUrl, credential, retry: Retry.none })))

await list.pipe(
  Effect.provideService(HttpClient.TracerPropagationEnabled, false),
  Effect.provide(Health.pipe(Layer.provide(FetchHttpClient.layer))),
  Effect.catch(({ _tag, message }) => show(`${_tag}: ${message}`)),
  Effect.runPromise,
)
document.body.dataset["state"] = "done"
