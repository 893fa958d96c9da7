/** A credential that fetches and renews tokens, and never shows a secret. */
import { describe, expect, it } from "@effect/vitest"
import { type Credential, OAuthClientCredentials } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as HttpStack from "@vigil/testing/HttpStack"
import { printed, record } from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { expectTypeOf } from "vitest"
import * as harness from "./harness.js"

const { assertion, basic, bearerOf, granted, methods, optionsOf, secret, sentBy, serviceOf, token } = harness

describe("the credential", () => {
  it.effect.each([{ expires_in: undefined }, { expires_in: 1e300 }])(
    "without an expiry is kept until a 401: %j",
    (changes) =>
      Effect.gen(function* () {
        const endpoint = yield* Faults.serve((_, index) =>
          granted({ access_token: `${token}-${index + 1}`, ...changes }),
        )
        const { get, server } = yield* serviceOf(optionsOf(endpoint), (request) =>
          bearerOf(request) === `${token}-1` ? Reply.json({}) : Reply.empty(401),
        )
        yield* get
        yield* TestClock.adjust("1000 days")
        yield* get
        expect(yield* endpoint.requests).toHaveLength(1)
        expect(yield* server.requests).toHaveLength(2)
      }),
  )

  it.live.each(HttpStack.names)("is fetched with the HTTP client of its creation, without requirements: %s", (name) =>
    Effect.gen(function* () {
      const endpoint = yield* Faults.serve([granted()], { tls: true })
      const trusting = yield* Layer.build(HttpStack.trusting(name))
      const credential = yield* Effect.provide(OAuthClientCredentials.credential(optionsOf(endpoint)), trusting)
      expectTypeOf(credential).toEqualTypeOf<Credential.Header>()
      expect(Redacted.value((yield* credential.value).secret)).toBe(`Bearer ${token}`)
    }),
  )
})

describe("a failed token request", () => {
  it.live("fails all waiting requests with its error, and the next request tries again", () =>
    Effect.gen(function* () {
      const refused = Reply.json({ error: "unauthorized_client" }, { status: 400 })
      const endpoint = yield* Faults.serve([refused, granted()])
      const { get, server } = yield* serviceOf(optionsOf(endpoint))
      const errors = yield* Effect.replicateEffect(Effect.flip(get), 10, { concurrency: "unbounded" })
      const cause = { _tag: "TokenRefused", reason: { code: "unauthorized_client" } }
      for (const error of errors) expect(error).toMatchObject({ reason: { _tag: "Credential", cause } })
      expect(yield* endpoint.requests).toHaveLength(1)
      yield* get
      expect(yield* server.requests).toHaveLength(1)
    }),
  )

  it.live("is retryable if its error is", () =>
    Effect.gen(function* () {
      const endpoint = yield* Faults.serve([Reply.empty(503, { "retry-after": "50" })])
      const { get } = yield* serviceOf(optionsOf(endpoint))
      expect(yield* Effect.flip(get)).toMatchObject({
        retryable: true,
        maybeApplied: false,
        message:
          "Thing.get: the thing service got no request: the credential could not be fetched: OAuthClientCredentials.fetchToken: the token service responded 503. Try again later.",
      })
    }),
  )
})

const encoded = new URLSearchParams({ _: secret }).toString().slice(2)
const secrets = [secret, encoded, encodeURIComponent(secret), btoa(secret), basic, assertion, "canary-5b9e04"]

const expectNoSecret = (...texts: ReadonlyArray<string>) => {
  for (const text of texts) {
    expect(text).not.toBe("")
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  }
}

describe("a token endpoint that repeats secrets", () => {
  it.live.each(methods)("shows none in the error, logs and spans of a request: $method", (authentication) =>
    Effect.gen(function* () {
      const refuse = (request: Reply.Request) =>
        Reply.json(
          { error: "invalid_client", error_description: `Not ${token}, not ${sentBy(request)}` },
          { status: 401, headers: { "x-request-id": token } },
        )
      const endpoint = yield* Faults.serve((request, index) => (index === 0 ? granted() : refuse(request)))
      const { get } = yield* serviceOf(optionsOf(endpoint, { authentication }), [Reply.empty(401)])
      const { result, text } = yield* record(Effect.flip(get))
      expect(result.reason).toMatchObject({
        _tag: "Credential",
        problem: "unavailable",
        isTemporary: false,
        cause: { reason: { detail: "Not <redacted>, not <redacted>", requestId: "<redacted>" } },
      })
      expectNoSecret(printed(result), text)
    }),
  )
})
