import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { OAuthImplicit } from "@vigil/core-http"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"

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

const payload = (json: unknown) => `e30.${Buffer.from(JSON.stringify(json)).toString("base64url")}.x`

/** The printed forms of a value. */
const shown = (value: unknown) => [
  inspect(value, { depth: 20, showHidden: true }),
  JSON.stringify(value),
  String(value),
]

describe("OAuthImplicit.readResponse", () => {
  it.effect.each([
    ["a complete URL", `https://app.example/signed-in?x=y#${fragment()}`],
    ["a fragment with its #", `#${fragment()}`],
    ["unknown parameters before the known ones", `session_state=a:b/c?d&x=1&${fragment()}`],
    ["another case of the token's type", `#${fragment({ token_type: "bEARER" })}`],
    ["an empty parameter", `#${fragment()}&error=&id_token=`],
  ] as const)("reads %s", ([, response]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const grant = yield* read(response)
      expect(Redacted.value(grant.accessToken)).toBe(token)
      expect(grant.scope).toEqual(Option.some(["a", "b"]))
      expect(grant.expiresAt).toEqual(Option.some(DateTime.makeUnsafe(3_601_000)))
    }),
  )

  it.effect("returns None for a missing expiry and scope", () =>
    Effect.gen(function* () {
      const { expiresAt, scope } = yield* read(fragment({ expires_in: undefined, scope: undefined }))
      expect({ expiresAt, scope }).toEqual({ expiresAt: Option.none(), scope: Option.none() })
    }),
  )

  it.effect("never prints the token", () =>
    Effect.gen(function* () {
      for (const text of shown(yield* read(fragment()))) expect(text).not.toContain("canary")
    }),
  )

  it.effect.each([
    ["empty", ""],
    ["empty", `https://app.example/signed-in?${fragment()}`],
    ["repeated", `#${fragment()}&access_token=canary-2`],
    ["repeated", `#${fragment()}&x=1&x=1`],
    ["both", `#${fragment({ error: "access_denied" })}`],
    ["missing", `#${fragment({ access_token: undefined })}`],
    ["missing", `#state=${state}`],
    ["token", `#${fragment({ access_token: "canary\r\nx-other: 1" })}`],
    ["token", `#${fragment({ access_token: "canary\u00fc" })}`],
    ["token", `#access_token=canary+b&token_type=bearer&state=${state}`],
    ["type", `#${fragment({ token_type: "mac" })}`],
    ["type", `#${fragment({ token_type: undefined })}`],
    ["lifetime", `#${fragment({ expires_in: "0" })}`],
    ["lifetime", `#${fragment({ expires_in: "1e3" })}`],
    ["lifetime", `#${fragment({ expires_in: "soon" })}`],
    ["lifetime", `#${fragment({ expires_in: "99999999999" })}`],
  ] as const)("fails with InvalidResponse (%s): %s", ([reason, response]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(response))
      expect(error).toMatchObject({ _tag: "InvalidResponse", reason })
      expect(error.message).toMatch(/^The sign-in response (has|contains) .+\. Pass .+\.$/)
    }),
  )

  it.effect.each([
    ["missing", `#${fragment({ state: undefined })}`],
    ["missing", `#${fragment({ state: "" })}`],
    ["missing", `https://app.example/?state=${state}#${fragment({ state: undefined })}`],
    ["different", `#${fragment({ state: "state-4f1d" })}`],
    ["different", `#${fragment({ state: "state-4f1" })}`],
    ["different", `#${fragment({ state: "state-4f1c " })}`],
    ["different", `#${fragment({ state: "STATE-4F1C" })}`],
    ["repeated", `#${fragment()}&state=${state}`],
    // Nothing else of the response is used.
    ["missing", "#error=access_denied&error_description=canary"],
    ["different", "#error=access_denied&error_description=canary&state=x"],
    ["different", "#access_token=a&access_token=b&state=x"],
    ["missing", "#a#b=c"],
  ] as const)("fails with StateMismatch (%s): %s", ([reason, response]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(response))
      expect(error).toMatchObject({ _tag: "StateMismatch", reason })
      expect(error.message).toMatch(/^The sign-in response contains .+ Sign in again/)
      for (const text of shown(error)) expect(text).not.toContain("canary")
    }),
  )

  it.effect("fails with StateMismatch if the expected state is empty", () =>
    Effect.gen(function* () {
      for (const response of [`#${fragment({ state: "" })}`, `#${fragment({ state: undefined })}`, `#${fragment()}`])
        expect(yield* Effect.flip(read(response, { state: "" }))).toMatchObject({ _tag: "StateMismatch" })
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
      expect(refused).toMatchObject({ _tag: "AuthorizationRefused", code, description })
      expect(refused.message).toContain(`refused: ${code}${description === undefined ? "" : ` (${description})`}. `)
      expect(refused.message).not.toContain(state)
    }),
  )

  it.effect.each([
    ["the same nonce", payload({ nonce: "n1" }), true],
    ["another nonce", payload({ nonce: "n2" }), false],
    ["no nonce", payload({}), false],
    ["not a token", "n1", false],
    ["invalid UTF-8", `e30.${Buffer.from([0xff, 0xfe]).toString("base64url")}.x`, false],
  ] as const)("checks the nonce of an ID token: %s", ([, id_token, isValid]) =>
    Effect.gen(function* () {
      const response = `#${fragment({ id_token })}`
      const result = yield* Effect.result(read(response, { nonce: "n1" }))
      if (isValid) expect(Result.isSuccess(result)).toBe(true)
      else expect(result).toMatchObject({ failure: { _tag: "InvalidResponse", reason: "nonce" } })
      // No nonce was requested.
      yield* read(response)
    }),
  )

  it.effect("accepts a nonce without an ID token", () => read(`#${fragment()}`, { nonce: "n1" }))
})

/** Any text, or parameters of a response in any order, some missing. */
const odd = FastCheck.oneof(
  FastCheck.string({ unit: CodePoint.arbitrary }),
  FastCheck.shuffledSubarray([...fragment().split("&"), "error=no", "id_token=a.b.c", "x=y", "state=", "%", "#"], {
    minLength: 3,
  }).map((parts) => `#${parts.join("&")}`),
)

describe("any response", () => {
  it("returns a grant or a declared error, without a token in errors", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(odd, async (response) => {
        const exit = await Effect.runPromiseExit(read(response, { nonce: "n1" }))
        if (Exit.isSuccess(exit)) {
          expect(response).toContain(`state=${state}`)
          return
        }
        const error = Option.getOrThrow(Cause.findErrorOption(exit.cause))
        expect(["AuthorizationRefused", "InvalidResponse", "StateMismatch"]).toContain(error._tag)
        if (error._tag !== "AuthorizationRefused") for (const text of shown(error)) expect(text).not.toContain("canary")
      }),
    )
  })
})
