/** Responses of the implicit flow, and the credential of their token. */
import { describe, expect, it } from "@effect/vitest"
import { OAuthImplicit } from "@vigil/oauth"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as property from "@vigil/testing/property"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { ServiceClient } from "@vigil/core-http"
import * as TestHttpClient from "@vigil/testing/TestHttpClient"
import { printed } from "@vigil/testing/Recorder"

const state = "state-4f1c"
const token = "canary-7d1f.29ac~55/e0+b83b=="

/** The fragment of a successful response, with changes; `undefined` removes a parameter. */
const fragment = (changes: Readonly<Record<string, string | undefined>> = {}) => {
  const all = { access_token: token, token_type: "Bearer", expires_in: "3600", scope: "a b", state, ...changes }
  const given = Object.entries(all).flatMap(([name, value]): Array<[string, string]> =>
    value === undefined ? [] : [[name, value]],
  )
  return new URLSearchParams(given).toString()
}

const read = (response: string, options: Partial<OAuthImplicit.Response> = {}) =>
  OAuthImplicit.readResponse({ response, state, ...options })

const payload = (bytes: string | Uint8Array) => `e30.${Buffer.from(bytes).toString("base64url")}.x`

describe("OAuthImplicit.readResponse", () => {
  it.effect.each([
    ["a complete URL", `https://app.example/signed-in?x=y#${fragment()}`],
    ["a fragment with its #", `#${fragment()}`],
    ["unknown parameters before the known ones", `session_state=a:b/c?d&x=1&${fragment()}`],
    ["another case of the token's type", `#${fragment({ token_type: "bEARER" })}`],
    ["empty parameters", `#${fragment()}&error=&id_token=`],
  ] as const)("reads %s", ([, response]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      // A nonce without an ID token is not checked.
      const grant = yield* read(response, { nonce: "n1" })
      expect(Redacted.value(grant.secret)).toBe(token)
      expect(grant.scope).toEqual(["a", "b"])
      expect(grant.expiresAt).toEqual(DateTime.makeUnsafe(3_601_000))
      expect(printed(grant)).not.toContain("canary")
    }),
  )

  it.effect("returns undefined for a missing expiry and scope", () =>
    Effect.gen(function* () {
      const { expiresAt, scope } = yield* read(fragment({ expires_in: undefined, scope: undefined }))
      expect([expiresAt, scope]).toEqual([undefined, undefined])
    }),
  )

  const invalid = (reason: OAuthImplicit.InvalidResponse["reason"], ...responses: ReadonlyArray<string>) =>
    responses.map((response) => ({ reason, response }))

  it.effect.each([
    ...invalid("empty", "", `https://app.example/signed-in?${fragment()}`),
    ...invalid("repeated", `#${fragment()}&access_token=canary-2`, `#${fragment()}&x=1&x=1`),
    ...invalid("both", `#${fragment({ error: "access_denied" })}`),
    ...invalid("missing", `#${fragment({ access_token: undefined })}`),
    ...invalid(
      "token",
      ...["canary\r\nx-other: 1", "canary\u00fc", "a b"].map((text) => fragment({ access_token: text })),
    ),
    ...invalid("type", ...["mac", undefined].map((type) => fragment({ token_type: type }))),
    ...invalid("lifetime", ...["0", "1e3", "soon"].map((time) => fragment({ expires_in: time }))),
  ])("fails with InvalidResponse ($reason): $response", ({ reason, response }) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(response))
      expect(error).toMatchObject({ _tag: "InvalidResponse", reason, isRetryable: false })
      expect(error.message).toMatch(/^The sign-in response (has|contains) .+\. Pass .+\.$/)
    }),
  )

  it.effect.each([
    ...[undefined, "", "state-4f1d", "state-4f1", "STATE-4F1C"].map((state) => fragment({ state })),
    `https://app.example/?state=${state}#${fragment({ state: undefined })}`,
    `#${fragment()}&state=${state}`,
    // Nothing else of the response is used.
    "#error=access_denied&error_description=canary&state=x",
    "#access_token=a&access_token=b&state=x",
    "#a#b=c",
  ])("fails with StateMismatch for a missing, different or repeated state: %s", (response) =>
    Effect.gen(function* () {
      for (const expected of [state, ""]) {
        const error = yield* Effect.flip(read(response, { state: expected }))
        expect(error).toMatchObject({ _tag: "StateMismatch", isRetryable: false })
        expect(error.message).toMatch(/^The sign-in response .+ Sign in again/)
        expect(printed(error)).not.toContain("canary")
      }
    }),
  )

  it.effect.each([
    ["access_denied", "", "access_denied", undefined],
    ["access_denied", "&error_description=The+person%20said+no", "access_denied", "The person said no"],
    ["x%1b%5b2J%0d%0ay", "&error_description=a%0Ab%e2%80%aec%ED%A0%80", "x [2J y", "a b c\ufffd\ufffd\ufffd"],
    ["server_error", `&error_description=of+${state}!`, "server_error", "of <redacted>!"],
    ["x".repeat(1_000), `&error_description=${"y".repeat(9_000)}`, `${"x".repeat(100)}…`, `${"y".repeat(500)}…`],
  ] as const)("fails with AuthorizationRefused: %s%s", ([error, rest, code, description]) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(read(`#error=${error}${rest}&state=${state}`))
      expect(refused).toMatchObject({ _tag: "AuthorizationRefused", code, description, isRetryable: false })
      expect(refused.message).toContain(`refused: ${code}${description === undefined ? "" : ` (${description})`}. `)
    }),
  )

  it.effect.each([
    ["the same nonce", payload(`{"nonce":"n1"}`), true],
    ["another nonce", payload(`{"nonce":"n2"}`), false],
    ["no nonce", payload("{}"), false],
    ["not a token", "n1", false],
    ["invalid UTF-8", payload(new Uint8Array([0xff, 0xfe])), false],
  ] as const)("checks the nonce of an ID token: %s", ([, id_token, isValid]) =>
    Effect.gen(function* () {
      const result = yield* Effect.result(read(fragment({ id_token }), { nonce: "n1" }))
      if (isValid) expect(Result.isSuccess(result)).toBe(true)
      else expect(result).toMatchObject({ failure: { _tag: "InvalidResponse", reason: "nonce" } })
      // No nonce was requested.
      yield* read(fragment({ id_token }))
    }),
  )

  const parameters = [...fragment().split("&"), "error=no", "id_token=a.b.c", "x=y", "state=", "%", "#"]
  property.live(
    "returns a grant or a declared error for any response, without a token in errors",
    [
      FastCheck.oneof(
        FastCheck.string({ unit: CodePoint.arbitrary }),
        FastCheck.shuffledSubarray(parameters, { minLength: 3 }).map((parts) => `#${parts.join("&")}`),
      ),
    ],
    ([response]) =>
      Effect.gen(function* () {
        const result = yield* Effect.result(read(response, { nonce: "n1" }))
        if (Result.isSuccess(result)) expect(response).toContain(`state=${state}`)
        else if (result.failure._tag !== "AuthorizationRefused") expect(printed(result.failure)).not.toContain("canary")
      }),
  )
})

it.effect("the credential sends the token until it expires, then requests fail", () =>
  Effect.gen(function* () {
    const sent: Array<string | undefined> = []
    const respond = ({ headers }: TestHttpClient.TestRequest) =>
      Effect.sync(() => ({ status: sent.push(headers["authorization"]) === 2 ? 401 : 200, json: {} }))
    const grant = { secret: Redacted.make(token), expiresAt: DateTime.makeUnsafe(3_600_000) }
    const { httpClient } = yield* ServiceClient.make({
      service: "thing",
      baseUrl: "https://service.test",
      credential: OAuthImplicit.credential(grant),
    }).pipe(Effect.provide(TestHttpClient.layer(respond)))
    yield* httpClient.get("/")
    yield* TestClock.setTime(3_599_999)
    // There is no other token to retry with.
    expect((yield* Effect.flip(httpClient.get("/"))).reason._tag).toBe("Unauthorized")
    yield* TestClock.setTime(3_600_000)
    const error = yield* Effect.flip(httpClient.get("/"))
    expect(error).toMatchObject({ reason: { _tag: "Credential", problem: "unavailable" }, isRetryable: false })
    expect(printed(error)).not.toContain("canary")
    expect(sent).toEqual(Array(2).fill(`Bearer ${token}`))
  }),
)
