/** Responses of a token endpoint: valid, invalid, hostile. */
import { describe, expect, it } from "@effect/vitest"
import { OAuthClientCredentials } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { fetchFrom, granted, live, optionsOf, token } from "./harness.js"

describe("a token response", () => {
  it.live.each([
    ["a number", { expires_in: 3600 }, 3600],
    ["a text", { expires_in: "3600" }, 3600],
    ["a fraction", { expires_in: 0.5 }, 0.5],
    ["a huge number", { expires_in: 1e300 }, 1e300],
    ["no value", { expires_in: undefined }, undefined],
    ["null", { expires_in: null }, undefined],
  ] as const)("may contain %s as its lifetime", ([, changes, seconds]) =>
    Effect.gen(function* () {
      const { result } = yield* fetchFrom([granted(changes)])
      const { lifetime } = yield* Effect.fromResult(result)
      expect(Option.getOrUndefined(Option.map(lifetime, Duration.toSeconds))).toBe(seconds)
    }),
  )

  it.live.each([
    [{ scope: "a  b" }, ["a", "b"]],
    [{ scope: " a " }, ["a"]],
    [{ scope: "" }, undefined],
    [{ scope: null }, undefined],
    [{ scope: ["a"] }, undefined],
    [{}, undefined],
  ] as const)("may contain a scope: %j", ([changes, scope]) =>
    Effect.gen(function* () {
      const { result } = yield* fetchFrom([granted({ token_type: "bEARER", unknown: 1, ...changes })])
      const fetched = yield* Effect.fromResult(result)
      expect(Option.getOrUndefined(fetched.scope)).toEqual(scope)
      expect(Redacted.value(fetched.accessToken)).toBe(token)
    }),
  )

  it.live.each([
    ["", "is not JSON", Reply.text("<html>Sign in</html>")],
    ["", "is not JSON", Reply.text(`{"access_token":"${token}`)],
    ["access_token", "is missing", Reply.json([])],
    ["access_token", "is missing", Reply.json(token)],
    ["access_token", "is missing", Reply.empty(204)],
    ["access_token", "is missing", granted({ access_token: null })],
    ["access_token", "is not a bearer token (RFC 6750)", granted({ access_token: "" })],
    ["access_token", "is not a bearer token (RFC 6750)", granted({ access_token: { token } })],
    ["access_token", "is not a bearer token (RFC 6750)", granted({ access_token: `${token}\r\nx-other: 1` })],
    ["access_token", "is not a bearer token (RFC 6750)", granted({ access_token: `${token} ${token}` })],
    ["token_type", "is not Bearer", granted({ token_type: "mac" })],
    ["token_type", "is not Bearer", granted({ token_type: undefined })],
    ...[-1, 0, "", "NaN", "1h", "in 1", "9".repeat(400), true, ["1"], {}].map(
      (expires_in) => ["expires_in", "is not a positive number of seconds", granted({ expires_in })] as const,
    ),
    [
      "expires_in",
      "is not a positive number of seconds",
      Reply.text(`{"access_token":"${token}","token_type":"Bearer","expires_in":1e999}`),
    ],
  ] as const)("fails with DecodeError: %s %s", ([path, reason, reply]) =>
    Effect.gen(function* () {
      const { error, requests } = yield* fetchFrom([reply])
      expect(error).toMatchObject({ _tag: "DecodeError", path, reason })
      expect(requests).toHaveLength(1)
    }),
  )

  it.live("fails with BodyTooLarge if it is too large, also after decompression", () =>
    Effect.gen(function* () {
      for (const reply of [Reply.huge(5_000_000), Reply.huge(5_000_000, { declared: true }), Reply.bomb(5)]) {
        const { error } = yield* fetchFrom([reply])
        expect(error).toMatchObject({ _tag: "BodyTooLarge", limit: 65_536 })
      }
    }),
  )

  it.live.each([Reply.silent, Reply.drip(" ", 10)])(
    "fails with TimeoutError if it does not end in time",
    (reply) =>
      Effect.gen(function* () {
        const { error } = yield* fetchFrom([reply], { timeout: "200 millis" })
        expect(error).toMatchObject({ _tag: "TimeoutError" })
      }),
    { concurrent: true },
  )
})

describe("an error response", () => {
  it.live.each([
    [400, { error: "invalid_scope", error_description: "No such scope" }, "invalid_scope", "No such scope"],
    [401, { error: "invalid_client" }, "invalid_client", undefined],
    [403, { error: "access_denied", error_description: 7 }, "access_denied", undefined],
    // Gateways respond in other forms.
    [403, { error: { code: "Blocked", message: "By policy" } }, "Blocked", "By policy"],
    [404, "<html>", undefined, undefined],
    [405, {}, undefined, undefined],
  ] as const)("fails with TokenRefused: %i %j", ([status, body, code, detail]) =>
    Effect.gen(function* () {
      const { error, requests } = yield* fetchFrom([Reply.json(body, { status })])
      expect(error).toMatchObject({ _tag: "TokenRefused", status, code, detail, retryable: false })
      expect(error?.message).toContain(status < 404 ? "Check the client ID, its secret" : "Check the token URL.")
      expect(requests).toHaveLength(1)
    }),
  )

  it.live("is retried if it is temporary", () =>
    Effect.gen(function* () {
      const busy = Reply.empty(429, { "retry-after": "0" })
      const { requests, result } = yield* fetchFrom([busy, Reply.empty(503), granted()])
      expect(Redacted.value((yield* Effect.fromResult(result)).accessToken)).toBe(token)
      expect(new Set(requests.map(({ body }) => body))).toEqual(new Set(["grant_type=client_credentials"]))
      expect(requests).toHaveLength(3)
    }),
  )
})

describe("a redirect", () => {
  it.live.each([301, 302, 303, 307, 308])(
    "with status %i is not followed, and its target receives no request",
    (status) =>
      Effect.gen(function* () {
        const foreign = yield* Faults.serve([granted()])
        for (const location of [`${foreign.origin}/token`, "/other"]) {
          const server = yield* Faults.serve([Reply.redirect(status, location)])
          const error = yield* Effect.flip(live(OAuthClientCredentials.fetchToken(optionsOf(server))))
          expect(error).toMatchObject({ _tag: "RedirectRefused" })
          expect(yield* server.requests).toHaveLength(1)
        }
        expect(yield* foreign.bytes).toBe("")
      }),
  )
})
