import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as OAuthImplicit from "@vigil/health-client/OAuthImplicit"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

// <body data-auth-url="…" data-client-id="…" data-base-url="…" data-subscription="…">: none of it is a secret.
const { authUrl = "", baseUrl = "", clientId = "", subscription = "" } = document.body.dataset

// Leaves this page, to come back with an answer in the fragment. The state is kept until then.
const leave = Effect.gen(function* () {
  const state = yield* OAuthImplicit.makeState
  sessionStorage.setItem("state", state)
  const redirectUri = location.origin + location.pathname
  location.assign(yield* OAuthImplicit.authorizationUrl({ authUrl, clientId, redirectUri, state }))
})

const show = (credential: HealthClient.Options["credential"]) =>
  Effect.flatMap(HealthClient.HealthClient, (health) =>
    Stream.runForEach(health.listBySubscription(SubscriptionId.make(subscription)), ({ properties }) =>
      Effect.sync(() => document.body.append(`${properties?.title} `)),
    ),
  ).pipe(Effect.provide(HealthClient.layer({ baseUrl, credential }).pipe(Layer.provide(FetchHttpClient.layer))))

const program = Effect.gen(function* () {
  const answer = location.hash
  if (answer === "") return yield* leave
  // Once: neither the token nor the state stays behind.
  history.replaceState(null, "", location.pathname)
  const state = sessionStorage.getItem("state") ?? ""
  sessionStorage.removeItem("state")
  const grant = yield* OAuthImplicit.readAnswer({ answer, state })
  yield* show(OAuthImplicit.credential(grant))
})

await program.pipe(
  Effect.catchAll((error) => Effect.sync(() => document.body.append(error.message))),
  Effect.runPromise,
)
