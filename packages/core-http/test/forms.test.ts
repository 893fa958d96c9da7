/** Requests with a form, and with secrets in their body. */
import { describe, expect, it } from "@effect/vitest"
import { Decoder, type Request, type ServiceClient } from "@vigil/core-http"
import { record } from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { clientOf, fake, ok, outcome, printed } from "./fake.js"

const canary = "canary-51ab/7e"

const post = (service: ServiceClient.Service, body: Request.Json | URLSearchParams) =>
  service.request({
    operation: "Thing.make",
    method: "POST",
    url: service.url("/things"),
    body,
    secrets: [Redacted.make(canary)],
    decode: Decoder.ignore,
  })

describe("a form", () => {
  it.effect("is sent as application/x-www-form-urlencoded", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      yield* outcome(post(yield* clientOf(server), new URLSearchParams({ a: "ü &=", b: "" })))
      expect(server.requests).toMatchObject([
        { body: "a=%C3%BC+%26%3D&b=", headers: { "content-type": "application/x-www-form-urlencoded" } },
      ])
    }),
  )
})

describe("the secrets of a request", () => {
  it.effect.each([new URLSearchParams({ password: canary }), { password: canary }])(
    "are in no error, log or span: %o",
    (body) =>
      Effect.gen(function* () {
        const server = fake((n) =>
          Response.json(
            { code: canary, message: `Not ${canary}, not ${encodeURIComponent(canary)}, but this.` },
            { status: n === 1 ? 429 : 400, headers: { "x-request-id": btoa(canary) } },
          ),
        )
        const service = yield* clientOf(server)
        const { result, text } = yield* record(outcome(post(service, body)))
        expect(server.requests).toHaveLength(2)
        expect(result.error).toMatchObject({
          code: "<redacted>",
          detail: "Not <redacted>, not <redacted>, but this.",
          requestId: "<redacted>",
        })
        expect(text).toContain("Retrying in")
        for (const shown of [printed(result.error), text]) expect(shown).not.toContain("canary")
      }),
  )
})
