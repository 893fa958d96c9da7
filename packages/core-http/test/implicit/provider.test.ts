/** The implicit flow with a real authorization server. */
import { describe, expect, it } from "@effect/vitest"
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

/** Follows redirects, keeps cookies and submits the sign-in and consent pages, as a browser does. Returns the last redirect. */
const browse = async (first: string, answer: "accept" | "refuse"): Promise<string> => {
  const cookies = new Map<string, string>()
  const send = async (url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return { location: response.headers.get("location"), page: await response.text() }
  }
  const visit = async (url: string, form?: Record<string, string>): Promise<string> => {
    const { location, page } = await send(url, form)
    if (location !== null) {
      const target = new URL(location, url).href
      return target.startsWith(redirectUri) ? target : visit(target)
    }
    if (page.includes(`value="login"`)) return visit(url, { prompt: "login", login: "ada", password: "any" })
    return answer === "accept" ? visit(url, { prompt: "consent" }) : visit(`${url}/abort`)
  }
  return visit(first)
}

/** Signs in, with the nonce in the request if there is one. */
const signIn = (answer: "accept" | "refuse", nonce?: string) =>
  Effect.gen(function* () {
    const server = yield* start
    const state = yield* OAuthImplicit.makeState
    const url = yield* Effect.fromResult(
      OAuthImplicit.authorizationUrl({
        authUrl: server.origin,
        clientId: "app",
        redirectUri,
        state,
        scope: "openid user_impersonation",
        ...(nonce === undefined ? {} : { nonce }),
      }),
    )
    // This server issues an access token only with an ID token: it rejects the response type `token` in requests and in its own configuration.
    const withIdToken = url.replace("response_type=token", "response_type=id_token+token")
    const response = yield* Effect.promise(() => browse(withIdToken, answer))
    return { server, state, response }
  })

describe("a sign-in with an authorization server", () => {
  it.live("returns a token that the server accepts", () =>
    Effect.gen(function* () {
      const nonce = yield* OAuthImplicit.makeNonce
      const before = yield* DateTime.now
      const { response, server, state } = yield* signIn("accept", nonce)
      const grant = yield* OAuthImplicit.readResponse({ response, state, nonce })
      expect(yield* server.isValid(Redacted.value(grant.accessToken))).toBe(true)
      expect(grant.scope).toEqual(Option.some(["openid", "user_impersonation"]))
      const expiresAt = Option.getOrThrow(grant.expiresAt)
      expect(DateTime.isLessThanOrEqualTo(DateTime.add(before, { seconds: 600 }), expiresAt)).toBe(true)
    }),
  )

  it.live("fails with the server's reason", () =>
    Effect.gen(function* () {
      const nonce = yield* OAuthImplicit.makeNonce
      const refused = yield* signIn("refuse", nonce)
      expect(yield* Effect.flip(OAuthImplicit.readResponse({ ...refused, nonce }))).toMatchObject({
        _tag: "AuthorizationRefused",
        code: "access_denied",
        description: "End-User aborted interaction",
      })
      // The server requires a nonce.
      const invalid = yield* signIn("accept")
      expect(yield* Effect.flip(OAuthImplicit.readResponse(invalid))).toMatchObject({
        _tag: "AuthorizationRefused",
        code: "invalid_request",
      })
    }),
  )
})
