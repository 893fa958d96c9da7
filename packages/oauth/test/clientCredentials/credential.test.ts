/** A credential that fetches and renews tokens, and never shows a secret. */
import { expect, it } from "@effect/vitest"
import { OAuthClientCredentials } from "@vigil/oauth"
import { Faults, Reply } from "@vigil/sandbox"
import * as HttpStack from "@vigil/testing/HttpStack"
import { printed, record } from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as harness from "./harness.js"

const { assertion, basic, granted, methods, optionsOf, secret, sentBy, serviceOf, token } = harness

it.effect.each([{ expires_in: undefined }, { expires_in: 1e300 }])(
  "a token without an expiry is kept until a 401, then fetched again: %j",
  (changes) =>
    Effect.gen(function* () {
      const endpoint = yield* Faults.serve((_, n) => granted({ access_token: `${token}-${n + 1}`, ...changes }))
      const { get, server } = yield* serviceOf(optionsOf(endpoint), (_, n) =>
        n === 2 ? Reply.empty(401) : Reply.json({}),
      )
      yield* get
      yield* TestClock.adjust("1000 days")
      yield* get
      expect(yield* endpoint.requests).toHaveLength(1)
      yield* get
      const sent = (yield* server.requests).map(({ headers }) => headers["authorization"])
      expect(sent).toEqual([1, 1, 1, 2].map((n) => `Bearer ${token}-${n}`))
    }),
)

it.live.each(HttpStack.names)("the credential uses the HTTP client of its creation: %s", (name) =>
  Effect.gen(function* () {
    const endpoint = yield* Faults.serve([granted()], { tls: true })
    const trusting = yield* Layer.build(HttpStack.trusting(name))
    const credential = yield* Effect.provide(OAuthClientCredentials.credential(optionsOf(endpoint)), trusting)
    expect(Redacted.value((yield* credential.value).secret)).toBe(`Bearer ${token}`)
  }),
)

it.live("a failed token request fails all waiting requests with its error, and the next request tries again", () =>
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

const encoded = new URLSearchParams({ _: secret }).toString().slice(2)
const secrets = [secret, encoded, encodeURIComponent(secret), btoa(secret), basic, assertion, "canary-5b9e04"]

it.live.each(methods)("no error, log and span contains what a token endpoint repeats: $method", (authentication) =>
  Effect.gen(function* () {
    const refuse = (request: Reply.Request) =>
      Reply.json(
        { error: "invalid_client", error_description: `Not ${token}, not ${sentBy(request)}` },
        { status: 401, headers: { "x-request-id": token } },
      )
    const endpoint = yield* Faults.serve((request, index) => (index === 0 ? granted() : refuse(request)))
    const { get } = yield* serviceOf(optionsOf(endpoint, { authentication }), [Reply.empty(401)])
    const { result, text } = yield* record(Effect.flip(get))
    const cause = { reason: { detail: "Not <redacted>, not <redacted>", requestId: "<redacted>" } }
    expect(result.reason).toMatchObject({ _tag: "Credential", problem: "unavailable", isRetryable: false, cause })
    expect(text).not.toBe("")
    for (const secret of secrets) expect(printed(result) + text).not.toContain(secret)
  }),
)
