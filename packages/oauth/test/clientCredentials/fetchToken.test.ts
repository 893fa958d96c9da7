/** Token requests: their options, what is sent, and what responses mean. */
import { describe, expect, it } from "@effect/vitest"
import { OAuthClientCredentials } from "@vigil/oauth"
import { Faults, Reply } from "@vigil/sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as harness from "./harness.js"

const { assertion, fetchFrom, fieldsOf, granted, live, optionsOf, token } = harness

describe("a token request", () => {
  it.live("contains the query of the token URL, the scope and additional fields", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([granted()])
      const parameters = { audience: "https://api.example/a b", resource: "urn:x" }
      // It replaces no field of the protocol.
      const replaced = { ...parameters, scope: "x", grant_type: "x" }
      const tokenUrl = `${server.origin}/token?tenant=a&p=1`
      yield* live(
        OAuthClientCredentials.fetchToken(optionsOf(server, { tokenUrl, scope: "a b", parameters: replaced })),
      )
      yield* live(OAuthClientCredentials.fetchToken(optionsOf(server, { scope: "" })))
      const [first, second] = yield* server.requests
      expect(first).toMatchObject({ target: "/token?tenant=a&p=1" })
      expect([first, second].map((request) => request && fieldsOf(request))).toEqual([
        { grant_type: "client_credentials", scope: "a b", ...parameters },
        { grant_type: "client_credentials" },
      ])
    }),
  )

  const refused = Reply.json({ error: "invalid_client" }, { status: 401 })

  it.live("is repeated once with a new assertion if the response to the first one was lost", () =>
    Effect.gen(function* () {
      const used = new Set<string>()
      let reads = 0
      const script = (request: Reply.Request, index: number) => {
        const { client_assertion = "" } = fieldsOf(request)
        const isNew = !used.has(client_assertion)
        used.add(client_assertion)
        if (index === 0) return Reply.reset
        return isNew ? granted() : refused
      }
      const newAssertion = Effect.sync(() => Redacted.make(`${assertion}-${++reads}`))
      const authentication = { method: "client_assertion", assertion: newAssertion } as const
      const { requests, result } = yield* fetchFrom(script, { authentication })
      expect(Redacted.value((yield* Effect.fromResult(result)).secret)).toBe(token)
      expect([requests.length, reads]).toEqual([3, 2])
    }),
  )

  it.live("is not sent if the assertion is not fetched in time", () =>
    Effect.gen(function* () {
      const authentication = { method: "client_assertion", assertion: Effect.never } as const
      const { error, requests } = yield* fetchFrom([granted()], { authentication, timeout: "50 millis" })
      expect(error).toMatchObject({ isRetryable: true, reason: { _tag: "Credential", problem: "timeout" } })
      expect(requests).toHaveLength(0)
    }),
  )

  const withFixed = { method: "client_assertion", assertion: Redacted.make(assertion) } as const
  const withNew = { ...withFixed, assertion: Effect.succeed(withFixed.assertion) }
  it.live.each([
    ["the same secret", optionsOf({ origin: "" }).authentication, [Reply.reset, refused], 2],
    ["the same assertion", withFixed, [Reply.reset, refused], 2],
    ["a new assertion after a 501", withNew, [Reply.empty(501)], 1],
  ] as const)("is not repeated with %s", ([, authentication, script, sent]) =>
    Effect.gen(function* () {
      const { error, requests } = yield* fetchFrom(script, { authentication })
      expect(error).toMatchObject({ _tag: "TokenRefused", maybeApplied: true })
      expect(requests).toHaveLength(sent)
    }),
  )
})

it.effect.each([
  ["tokenUrl", "not a URL"],
  ["tokenUrl", "ftp://login.example/token"],
  ["tokenUrl", "http://login.example/token"],
  ["tokenUrl", "https://user:canary-5b9e04@login.example/token"],
  ["tokenUrl", "https://login.example/token#"],
  ["clientId", ""],
  ["timeout", 0],
  ["timeout", "soon"],
] as const)("an invalid option fails with InvalidSetting: %s %j", ([setting, value]) =>
  Effect.gen(function* () {
    const all = optionsOf({ origin: "https://login.example" }, { [setting]: value })
    for (const make of [OAuthClientCredentials.credential(all), OAuthClientCredentials.fetchToken(all)]) {
      const error = yield* Effect.flip(live<unknown, { readonly message: string }>(make))
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
      expect(error.message).not.toContain("canary")
    }
  }),
)

describe("a token response", () => {
  it.live.each([
    [{ expires_in: 3600 }, 3600, undefined],
    [{ expires_in: "3600", scope: "a  b" }, 3600, ["a", "b"]],
    [{ expires_in: 0.5, scope: " a " }, 0.5, ["a"]],
    [{ expires_in: undefined, scope: "" }, undefined, undefined],
    [{ expires_in: null, scope: null, token_type: "bEARER", unknown: 1 }, undefined, undefined],
  ] as const)("may contain a lifetime and a scope: %j", ([changes, seconds, scope]) =>
    Effect.gen(function* () {
      const fetched = yield* Effect.fromResult((yield* fetchFrom([granted(changes)])).result)
      expect(Redacted.value(fetched.secret)).toBe(token)
      expect(fetched.lifetime && Duration.toSeconds(fetched.lifetime)).toBe(seconds)
      expect(fetched.scope).toEqual(scope)
    }),
  )

  const mismatch = (expected: string) => `does not match ${expected}`
  const notBearer = mismatch("a bearer token (RFC 6750)")
  const notPositive = mismatch("a positive number of seconds")

  it.live.each([
    ["", "is not JSON", Reply.text(`{"access_token":"${token}`)],
    ["", mismatch("object"), Reply.json(token)],
    ["", mismatch("object"), Reply.empty(204)],
    ["access_token", mismatch("string"), granted({ access_token: null })],
    ...["", "=", "ü", `${token}\r\nx-other: 1`].map(
      (access_token) => ["access_token", notBearer, granted({ access_token })] as const,
    ),
    ["token_type", mismatch("Bearer"), granted({ token_type: "mac" })],
    ["token_type", "is missing", granted({ token_type: undefined })],
    ...[-1, 0, "", "1h", "9".repeat(400)].map(
      (expires_in) => ["expires_in", notPositive, granted({ expires_in })] as const,
    ),
    ...[true, ["1"]].map((expires_in) => ["expires_in", expect.any(String), granted({ expires_in })] as const),
  ] as const)("that is invalid fails to decode: %s %s", ([path, problem, reply]) =>
    Effect.gen(function* () {
      const { error, requests } = yield* fetchFrom([reply])
      expect(error).toMatchObject({ reason: { _tag: "Decode", path, problem } })
      expect(requests).toHaveLength(1)
    }),
  )

  it.live("is limited in size, also after decompression, and in time", () =>
    Effect.gen(function* () {
      for (const reply of [Reply.huge(5_000_000), Reply.bomb(5)])
        expect((yield* fetchFrom([reply])).error).toMatchObject({ reason: { _tag: "BodyTooLarge", limit: 65_536 } })
      const { error } = yield* fetchFrom([Reply.drip(" ", 10)], { timeout: "200 millis" })
      expect(error).toMatchObject({ reason: { _tag: "Timeout" } })
    }),
  )
})

it.live.each([
  [401, { error: "invalid_client" }, "invalid_client", undefined],
  [403, { error: "access_denied", error_description: {} }, "access_denied", undefined],
  // Gateways respond in other forms.
  [403, { error: { code: "Blocked", message: "By policy" } }, "Blocked", "By policy"],
  [404, "<html>", undefined, undefined],
  [405, {}, undefined, undefined],
] as const)("an error response fails with TokenRefused, which survives JSON: %i %j", ([status, body, code, detail]) =>
  Effect.gen(function* () {
    const { error, requests } = yield* fetchFrom([Reply.json(body, { status })])
    expect(error).toMatchObject({ _tag: "TokenRefused", reason: { status, code, detail }, isRetryable: false })
    expect(error?.message).toContain(status < 404 ? "Check the client ID, its secret" : "Check the token URL.")
    expect(requests).toHaveLength(1)
    if (error?._tag !== "TokenRefused") return
    const json = Schema.fromJsonString(Schema.toCodecJson(OAuthClientCredentials.TokenRefused))
    const decoded = yield* Effect.flatMap(Schema.encodeEffect(json)(error), Schema.decodeEffect(json))
    expect(decoded.message).toBe(error.message)
  }),
)
