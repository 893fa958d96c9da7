import { OAuthImplicit } from "@vigil/oauth"
import { Console, DateTime, Effect } from "effect"

// Stands in for a browser: opens the sign-in URL and returns the URL of the redirect. This user accepts at once.
const openBrowser = (url: string) => {
  const { searchParams } = new URL(url)
  return `${searchParams.get("redirect_uri")}#access_token=t0&token_type=Bearer&expires_in=3600&state=${searchParams.get("state")}`
}

const program = Effect.gen(function* () {
  const state = yield* OAuthImplicit.makeRandomText
  const url = yield* Effect.fromResult(
    OAuthImplicit.signInUrl({
      authorizationUrl: "https://sign-in.example/authorize",
      clientId: "my-app",
      redirectUri: "http://localhost:8400/signed-in",
      state,
    }),
  )
  yield* Console.log(`Sign in at ${url}`)
  const grant = yield* OAuthImplicit.readResponse({ response: openBrowser(url), state })
  const { expiresAt } = grant
  yield* Console.log(`Signed in until ${expiresAt ? DateTime.formatIso(expiresAt) : "the service rejects the token"}`)
  // For the options of a client: { baseUrl, credential }. It never sends an expired token.
  return OAuthImplicit.credential(grant)
})

await program.pipe(
  Effect.catchTags({
    AuthorizationRefused: (error) => Console.error(error.message),
    StateMismatch: (error) => Console.error(error.message),
  }),
  Effect.runPromise,
)
