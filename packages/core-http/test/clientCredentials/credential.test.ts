/** A credential that fetches and renews tokens. */
import { describe, expect, it } from "@effect/vitest"
import { type Credential, Decoder, OAuthClientCredentials, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expectTypeOf } from "vitest"
import { bearerOf, granted, optionsOf, serviceOf, token } from "./harness.js"

/** A token endpoint that issues `…-1`, `…-2` and so on. */
const issuing = (changes: object = {}) =>
  Faults.serve((_, index) => granted({ access_token: `${token}-${index + 1}`, ...changes }))

describe("the credential", () => {
  it.effect.each([{ expires_in: undefined }, { expires_in: 1e300 }])(
    "without an expiry is kept until a 401: %j",
    (changes) =>
      Effect.gen(function* () {
        const endpoint = yield* issuing(changes)
        const { get, server } = yield* serviceOf(optionsOf(endpoint), (request) =>
          bearerOf(request) === `${token}-1` && request.target === "/thing" ? Reply.json({}) : Reply.empty(401),
        )
        yield* get
        yield* TestClock.adjust("1000 days")
        yield* get
        expect(yield* endpoint.requests).toHaveLength(1)
        expect(yield* server.requests).toHaveLength(2)
      }),
  )

  it.live("is fetched with the HTTP client that it was created with, and has no requirements", () =>
    Effect.gen(function* () {
      for (const name of HttpStack.names) {
        const endpoint = yield* Faults.serve([granted()], { tls: true })
        const server = yield* Faults.serve([Reply.json({})])
        const trusting = yield* Layer.build(HttpStack.trusting(name))
        const credential = yield* Effect.provide(OAuthClientCredentials.credential(optionsOf(endpoint)), trusting)
        expectTypeOf(credential).toEqualTypeOf<Credential.Credential>()
        const client = yield* Effect.provide(
          ServiceClient.make({ service: "thing", baseUrl: server.origin, credential }),
          yield* Layer.build(HttpStack.oneLayer),
        )
        yield* client.get({ operation: "Thing.get", url: client.url("/thing"), decode: Decoder.ignore })
        expect((yield* server.requests).map(bearerOf)).toEqual([token])
      }
    }),
  )
})

describe("a failed token request", () => {
  it.live("fails all waiting requests, and the next request tries again", () =>
    Effect.gen(function* () {
      const refused = Reply.json({ error: "unauthorized_client" }, { status: 400 })
      const endpoint = yield* Faults.serve([refused, granted()])
      const { get, server } = yield* serviceOf(optionsOf(endpoint))
      const errors = yield* Effect.replicateEffect(Effect.flip(get), 10, { concurrency: "unbounded" })
      expect(errors).toHaveLength(10)
      for (const error of errors)
        expect(error).toMatchObject({
          _tag: "CredentialError",
          cause: { _tag: "TokenRefused", code: "unauthorized_client" },
        })
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
        _tag: "CredentialError",
        retryable: true,
        message:
          "Thing.get: the credential for the thing service could not be fetched: OAuthClientCredentials.fetchToken: the token service responded 503. Try again later.",
      })
    }),
  )

  it.live("is also limited by the timeout of the service", () =>
    Effect.gen(function* () {
      const endpoint = yield* Faults.serve([Reply.silent])
      const { get } = yield* serviceOf(optionsOf(endpoint), [Reply.json({})], { timeout: "100 millis" })
      expect(yield* Effect.flip(get)).toMatchObject({ _tag: "CredentialError", reason: "timeout" })
    }),
  )
})
