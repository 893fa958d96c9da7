/** Client credentials with a real authorization server. */
import { expect, it } from "@effect/vitest"
import { OAuthClientCredentials } from "@vigil/oauth"
import * as AuthorizationServer from "@vigil/testing/AuthorizationServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { live } from "./harness.js"

/** Every character that the form encoding changes, and that a client ID and a secret may contain (RFC 6749, appendix A). */
const unusual = "a b+c:d%e&f=g/h?i~j'k"

const key = AuthorizationServer.makeClientKey()

const client = { grant_types: ["client_credentials"], redirect_uris: [], response_types: [], scope: "read write" }

const start = AuthorizationServer.start({
  scopes: ["read", "write", "admin"],
  features: { clientCredentials: { enabled: true } },
  clients: [
    { ...client, client_id: unusual, client_secret: unusual },
    { ...client, client_id: "post", client_secret: unusual, token_endpoint_auth_method: "client_secret_post" },
    { ...client, client_id: "key", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [key.publicJwk] } },
  ],
})

it.live("fetchToken authenticates by each method", () =>
  Effect.gen(function* () {
    const { isValid, origin, tokenUrl } = yield* start
    const secret = Redacted.make(unusual)
    const jwt = AuthorizationServer.signAssertion(key, { audience: origin, clientId: "key", jti: "1" })
    for (const options of [
      { clientId: unusual, authentication: { method: "client_secret_basic", secret } },
      { clientId: "post", authentication: { method: "client_secret_post", secret } },
      { clientId: "key", authentication: { method: "client_assertion", assertion: Redacted.make(jwt) } },
    ] as const) {
      const token = yield* live(OAuthClientCredentials.fetchToken({ tokenUrl, ...options, scope: "read" }))
      expect(yield* isValid(Redacted.value(token.secret))).toBe(true)
      expect(token.scope).toEqual(["read"])
      expect(token.lifetime).toEqual(Duration.minutes(10))
    }
  }),
)
