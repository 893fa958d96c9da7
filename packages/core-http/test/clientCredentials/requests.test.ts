/** The options of a token request, and the sent requests. */
import { describe, expect, it } from "@effect/vitest"
import { OAuthClientCredentials } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import {
  assertion,
  basic,
  clientId,
  fetchFrom,
  granted,
  live,
  optionsOf,
  secret,
  token,
  withAssertion,
  withBasic,
  withPost,
} from "./harness.js"

const fieldsOf = ({ body }: Reply.Request) => Object.fromEntries(new URLSearchParams(body))

describe("a token request", () => {
  const client_id = clientId
  it.live.each([
    ["client_secret_basic", withBasic, `Basic ${basic}`, {}],
    ["client_secret_post", withPost, undefined, { client_id, client_secret: secret }],
    [
      "client_assertion",
      withAssertion,
      undefined,
      {
        client_id,
        client_assertion: assertion,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      },
    ],
  ] as const)("authenticates by %s", ([, authentication, authorization, fields]) =>
    Effect.gen(function* () {
      const { requests } = yield* fetchFrom([granted()], { authentication })
      expect(requests).toMatchObject([
        {
          method: "POST",
          target: "/token",
          headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
        },
      ])
      expect(requests.map(({ headers }) => headers["authorization"])).toEqual([authorization])
      expect(requests.map(fieldsOf)).toEqual([{ grant_type: "client_credentials", ...fields }])
    }),
  )

  it.live("contains the scope and additional fields", () =>
    Effect.gen(function* () {
      const parameters = { audience: "https://api.example/a b", resource: "urn:x" }
      const { requests } = yield* fetchFrom([granted()], { scope: "a b", parameters })
      expect(requests.map(fieldsOf)).toEqual([{ grant_type: "client_credentials", scope: "a b", ...parameters }])
      const empty = yield* fetchFrom([granted()], { scope: "" })
      expect(empty.requests.map(fieldsOf)).toEqual([{ grant_type: "client_credentials" }])
    }),
  )

  it.live("keeps the query of the token URL", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([granted()])
      const options = optionsOf(server, { tokenUrl: `${server.origin}/token?tenant=a&p=1` })
      yield* live(OAuthClientCredentials.fetchToken(options))
      expect(yield* server.requests).toMatchObject([{ target: "/token?tenant=a&p=1" }])
    }),
  )

  it.live("is repeated once with a new assertion if the response to the first one was lost", () =>
    Effect.gen(function* () {
      const used = new Set<string>()
      let reads = 0
      const { requests, result } = yield* fetchFrom(
        (request, index) => {
          const { client_assertion = "" } = fieldsOf(request)
          const isNew = !used.has(client_assertion)
          used.add(client_assertion)
          if (index === 0) return Reply.reset
          return isNew ? granted() : Reply.json({ error: "invalid_client" }, { status: 401 })
        },
        {
          authentication: {
            method: "client_assertion",
            assertion: Effect.sync(() => Redacted.make(`${assertion}-${++reads}`)),
          },
        },
      )
      expect(Redacted.value((yield* Effect.fromResult(result)).accessToken)).toBe(token)
      expect(requests).toHaveLength(3)
      expect(reads).toBe(2)
    }),
  )

  const refused = Reply.json({ error: "invalid_client" }, { status: 401 })

  it.live.each([withBasic, withPost, { method: "client_assertion", assertion: Redacted.make(assertion) }] as const)(
    "is not repeated with the same secret or assertion: $method",
    (authentication) =>
      Effect.gen(function* () {
        const { error, requests } = yield* fetchFrom([Reply.reset, refused, granted()], { authentication })
        expect(error).toMatchObject({ _tag: "TokenRefused", maybeApplied: true })
        expect(requests).toHaveLength(2)
      }),
  )

  it.effect("is repeated with a new assertion within the timeout", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<Reply.Reply>()
      const server = yield* Faults.serve((_, index) => (index === 1 ? Deferred.await(gate) : Reply.silent))
      const options = optionsOf(server, { authentication: withAssertion })
      const fiber = yield* Effect.forkChild(Effect.flip(live(OAuthClientCredentials.fetchToken(options))))
      yield* server.awaitRequests(1)
      yield* TestClock.adjust("10 seconds")
      yield* server.awaitRequests(2)
      yield* TestClock.adjust("5 seconds")
      yield* Deferred.succeed(gate, refused)
      yield* server.awaitRequests(3)
      yield* TestClock.adjust("5 seconds")
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ _tag: "TimeoutError", scope: "total", limit: Duration.seconds(20) })
      expect(error.message).toContain("Before that: OAuthClientCredentials.fetchToken: the token service responded 401")
      expect(yield* server.requests).toHaveLength(3)
    }),
  )
})

describe("an invalid option", () => {
  it.effect.each([
    [{ tokenUrl: "not a URL" }, "tokenUrl"],
    [{ tokenUrl: "ftp://login.example/token" }, "tokenUrl"],
    [{ tokenUrl: "http://login.example/token" }, "tokenUrl"],
    [{ tokenUrl: "https://user:canary-5b9e04@login.example/token" }, "tokenUrl"],
    [{ tokenUrl: "https://login.example/token#" }, "tokenUrl"],
    [{ clientId: "" }, "clientId"],
    [{ timeout: 0 }, "timeout"],
    [{ parameters: { client_id: "other" } }, "parameters.client_id"],
    [{ parameters: { audience: "a", grant_type: "password" } }, "parameters.grant_type"],
  ] as const)("fails with InvalidSetting: %j", ([options, setting]) =>
    Effect.gen(function* () {
      const all = optionsOf({ origin: "https://login.example" }, options)
      for (const make of [OAuthClientCredentials.credential(all), OAuthClientCredentials.fetchToken(all)]) {
        const error = yield* Effect.flip(live<unknown, { readonly message: string }>(make))
        expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
        expect(error.message).not.toContain("canary")
      }
    }),
  )
})
