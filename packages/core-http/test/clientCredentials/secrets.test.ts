/** A token endpoint that repeats secrets: no error, log or span contains them. */
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import { printed, record } from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import {
  assertion,
  basic,
  fetchFrom,
  granted,
  methods,
  optionsOf,
  secret,
  serviceOf,
  token,
  withBasic,
  withPost,
} from "./harness.js"

const encoded = new URLSearchParams({ _: secret }).toString().slice(2)

const texts = [secret, encoded, encodeURIComponent(secret), btoa(secret), basic, assertion, "canary-5b9e04"]

const expectNoSecret = (printed: string) => {
  expect(printed).not.toBe("")
  expect(texts.filter((text) => printed.includes(text))).toEqual([])
}

/** The credential of a request as it is in the header or in the body. */
const sentBy = ({ body, headers }: Reply.Request): string => {
  const fields = new URLSearchParams(body)
  return fields.get("client_secret") ?? fields.get("client_assertion") ?? headers["authorization"] ?? ""
}

/** Makes a reply that contains a text. */
const repeats: ReadonlyArray<readonly [string, (text: string) => Reply.Reply]> = [
  ["in error", (text) => Reply.json({ error: text }, { status: 400 })],
  ["in error_description", (text) => Reply.json({ error: "x", error_description: `No ${text}!` }, { status: 401 })],
  ["in another form of error", (text) => Reply.json({ error: { code: text, message: text } }, { status: 403 })],
  ["in headers", (text) => Reply.empty(404, { "x-request-id": text.replaceAll(/[^!-~]/g, "_"), "x-other": "a" })],
  ["in a field name", (text) => Reply.json({ [text]: text, error: "x" })],
  ["in a value", (text) => granted({ token_type: text })],
  ["in HTML", (text) => Reply.text(`<html>${text}`)],
  [
    "in content-encoding",
    (text) => Reply.text("x", { headers: { "content-encoding": text.replaceAll(/[^!-~]/g, "_") } }),
  ],
  ["in a redirect", (text) => Reply.redirect(307, `/${encodeURIComponent(text)}`)],
]

const plain = (text: string) => text

const forms: ReadonlyArray<(text: string) => string> = [
  (text) => `Basic ${btoa(text)}`,
  (text) => encodeURIComponent(text),
  (text) => Array.from(text, (char) => `&#${char.charCodeAt(0)};`).join(""),
]

describe("an endpoint that repeats the client's secret", () => {
  it.live.each(repeats)("%s: no error, log or span contains it", ([, repeat]) =>
    Effect.gen(function* () {
      const cases = [
        ...methods.map((method) => [method, plain] as const),
        ...forms.map((form) => [withPost, form] as const),
      ]
      for (const [authentication, form] of cases) {
        const text = (request: Reply.Request) => form(authentication === withBasic ? secret : sentBy(request))
        const { result, text: recorded } = yield* record(
          fetchFrom((request) => repeat(text(request)), { authentication }),
        )
        expect(result.error).toBeDefined()
        for (const shown of [printed(result.error), recorded]) expectNoSecret(shown)
      }
    }),
  )
})

describe("a service whose token endpoint repeats secrets", () => {
  it.live("has no secret in the error, logs and spans of a request", () =>
    Effect.gen(function* () {
      const endpoint = yield* Faults.serve((request, index) =>
        index === 0
          ? granted()
          : Reply.json(
              { error: "invalid_client", error_description: `Not ${token}, not ${sentBy(request)}` },
              { status: 401, headers: { "x-request-id": token } },
            ),
      )
      const { result, text } = yield* record(
        Effect.gen(function* () {
          const { get } = yield* serviceOf(optionsOf(endpoint), [Reply.empty(401)])
          return yield* Effect.flip(get)
        }),
      )
      expect(result).toMatchObject({
        _tag: "CredentialError",
        reason: "unavailable",
        retryable: false,
        cause: { _tag: "TokenRefused", code: "invalid_client", detail: "Not <redacted>, not <redacted>" },
      })
      expect(result.message).toBe(
        "Thing.get: the credential for the thing service could not be fetched: OAuthClientCredentials.fetchToken: the token service responded 401 invalid_client: Not <redacted>, not <redacted>. Check the client ID, its secret or assertion, and the scope. Request ID: <redacted>.",
      )
      for (const shown of [printed(result), text]) expectNoSecret(shown)
    }),
  )

  it.live("has no secret in the logs and spans of a successful request", () =>
    Effect.gen(function* () {
      for (const authentication of methods) {
        const endpoint = yield* Faults.serve((request, index) =>
          index === 0 ? Reply.json({ error: sentBy(request) }, { status: 503 }) : granted(),
        )
        const { result, text } = yield* record(
          Effect.gen(function* () {
            const { get, server } = yield* serviceOf(optionsOf(endpoint, { authentication }))
            yield* get
            return yield* server.requests
          }),
        )
        expect(result).toMatchObject([{ headers: { authorization: `Bearer ${token}` } }])
        expect(text).toContain("OAuthClientCredentials.fetchToken: the token service responded 503 <redacted>.")
        expectNoSecret(text)
      }
    }),
  )
})
