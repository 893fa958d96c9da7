/** The implicit flow with a real authorization server. */
import { expect, it } from "@effect/vitest"
import { OAuthImplicit } from "@vigil/core-http"
import * as AuthorizationServer from "@vigil/testing/AuthorizationServer"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

const redirectUri = "https://app.example/signed-in"

const start = AuthorizationServer.start({
  routes: { authorization: "/common/oauth2/authorize" },
  scopes: ["openid", "user_impersonation"],
  responseTypes: ["id_token token"],
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  clients: [
    {
      client_id: "app",
      grant_types: ["implicit"],
      redirect_uris: [redirectUri],
      response_types: ["id_token token"],
      token_endpoint_auth_method: "none",
    },
  ],
})

it.live("a sign-in returns a token that the server accepts, or the reason of the server", () =>
  Effect.gen(function* () {
    const server = yield* start
    const state = yield* OAuthImplicit.makeState
    const options = { authUrl: server.origin, clientId: "app", redirectUri, state, scope: "openid user_impersonation" }
    const signIn = Effect.fnUntraced(function* (
      answer: "accept" | "refuse",
      parameters: Readonly<Record<string, string>>,
    ) {
      const url = yield* Effect.fromResult(OAuthImplicit.authorizationUrl({ ...options, parameters }))
      // This server issues an access token only with an ID token, and rejects the response type `token`.
      const withIdToken = url.replace("response_type=token", "response_type=id_token+token")
      const response = yield* Effect.promise(() => AuthorizationServer.browse(withIdToken, redirectUri, answer))
      return yield* OAuthImplicit.readResponse({ response, state })
    })
    const before = yield* DateTime.now
    const { accessToken, expiresAt, scope } = yield* signIn("accept", { nonce: "n" })
    expect(yield* server.isValid(Redacted.value(accessToken))).toBe(true)
    expect(scope).toEqual(Option.some(["openid", "user_impersonation"]))
    const earliest = DateTime.add(before, { seconds: 600 })
    expect(DateTime.isLessThanOrEqualTo(earliest, Option.getOrThrow(expiresAt))).toBe(true)
    const refused = { _tag: "AuthorizationRefused", code: "access_denied", description: "End-User aborted interaction" }
    expect(yield* Effect.flip(signIn("refuse", { nonce: "n" }))).toMatchObject(refused)
    // The server requires a nonce.
    expect(yield* Effect.flip(signIn("accept", {}))).toMatchObject({ code: "invalid_request" })
  }),
)
