import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Connection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SignIn from "@vigil/health-client/SignIn"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as OAuthImplicit from "@vigil/oauth/OAuthImplicit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

// <body data-auth-url="…" data-client-id="…" data-base-url="…" data-subscription="…">. None of them is a secret.
const { authUrl = "", baseUrl = "", clientId = "", subscription = "" } = document.body.dataset

// Redirects to the sign-in page. The response is in the fragment when the person returns, and must have the same state.
const signIn = Effect.gen(function* () {
  const state = yield* OAuthImplicit.makeRandomText
  sessionStorage.setItem("state", state)
  const redirectUri = location.origin + location.pathname
  const authorizationUrl = SignIn.authorizationUrl(authUrl)
  const request = { authorizationUrl, clientId, redirectUri, scope: SignIn.scope, state }
  location.assign(yield* Effect.fromResult(OAuthImplicit.signInUrl(request)))
})

const show = (credential: Connection.Options["credential"]) =>
  Effect.flatMap(HealthClient.HealthClient, (health) =>
    Stream.runForEach(health.listBySubscription(SubscriptionId.make(subscription)), ({ properties }) =>
      Effect.sync(() => document.body.append(`${properties?.title} `)),
    ),
  ).pipe(
    Effect.provide(
      HealthClient.layer.pipe(
        Layer.provide(Connection.layer({ baseUrl, credential })),
        Layer.provide(FetchHttpClient.layer),
      ),
    ),
  )

const program = Effect.gen(function* () {
  const response = location.hash
  if (response === "") return yield* signIn
  // Removes the token from the URL, and the state from the storage: a response is valid once.
  history.replaceState(null, "", location.pathname)
  const state = sessionStorage.getItem("state") ?? ""
  sessionStorage.removeItem("state")
  const grant = yield* OAuthImplicit.readResponse({ response, state })
  yield* show(OAuthImplicit.credential(grant))
})

await program.pipe(
  // A service has to allow the headers of traces.
  Effect.provideService(HttpClient.TracerPropagationEnabled, false),
  Effect.catch((error) => Effect.sync(() => document.body.append(error.message))),
  Effect.runPromise,
)
