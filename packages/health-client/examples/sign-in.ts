import { OAuthImplicit } from "@vigil/health-client"
import { Console, DateTime, Effect, Option } from "effect"

// Stands for the browser: it is sent to one address, and comes back with another. Here, the person says yes at once.
const browse = (address: string) => {
  const { searchParams } = new URL(address)
  return `${searchParams.get("redirect_uri")}#access_token=t0&token_type=Bearer&expires_in=3600&state=${searchParams.get("state")}`
}

const program = Effect.gen(function* () {
  const state = yield* OAuthImplicit.makeState
  const address = yield* OAuthImplicit.authorizationUrl({
    authUrl: "https://sign-in.example",
    clientId: "my-app",
    redirectUri: "http://localhost:8400/signed-in",
    state,
  })
  yield* Console.log(`Sign in at ${address}`)
  const grant = yield* OAuthImplicit.readResponse({ response: browse(address), state })
  yield* Console.log(
    `Signed in until ${Option.match(grant.expiresAt, { onNone: () => "refused", onSome: DateTime.formatIso })}`,
  )
  // For HealthClient.layer({ baseUrl, credential }): never sends a token that has expired.
  return OAuthImplicit.credential(grant)
})

await program.pipe(
  Effect.catchTags({
    AuthorizationRefused: (error) => Console.error(error.message),
    StateMismatch: (error) => Console.error(error.message),
  }),
  Effect.runPromise,
)
