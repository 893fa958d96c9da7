/** Additional headers, secret URLs, and responses that are not JSON. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, type Request, RetryPolicy, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import { oneLayer } from "@vigil/testing/HttpStack"
import { record } from "@vigil/testing/Recorder"
import { clientOf, fake, ok, outcome, printed, status } from "./fake.js"

const post: Request.Request<void> = {
  operation: "Thing.change",
  method: "POST",
  url: "/thing",
  body: { a: 1 },
  decode: Decoder.ignore,
}

describe("additional headers", () => {
  it.effect("are sent, and replace neither the credential nor headers of the protocol", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, {
        credential: Credential.header("X-API-Token", Redacted.make("secret")),
        userAgent: "probe/1.0",
      })
      const headers = {
        "Webhook-Id": "1",
        "x-api-token": "other",
        "X-Api-Token": "other",
        "User-Agent": "other",
        Accept: "text/html",
        "content-type": "text/plain",
        "Content-Length": "1",
        host: "elsewhere.example",
        connection: "close",
        "Transfer-Encoding": "chunked",
      }
      expect((yield* outcome(service.request({ ...post, headers }))).error).toBeUndefined()
      expect(server.requests[0]?.headers).toEqual({
        "webhook-id": "1",
        "x-api-token": "secret",
        "user-agent": "probe/1.0",
        accept: "application/json",
        "content-type": "application/json",
        "content-length": "7",
      })
    }),
  )

  it.effect("are evaluated again for each attempt", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(503, "3") : ok()))
      const service = yield* clientOf(server)
      const headers = Effect.map(Clock.currentTimeMillis, (now) => ({ at: `${now}` }))
      expect((yield* outcome(service.request({ ...post, headers, idempotent: true }))).error).toBeUndefined()
      expect(server.requests).toHaveLength(2)
      for (const { at, headers } of server.requests) expect(headers["at"]).toBe(`${at}`)
    }),
  )
})

describe("a secret URL", () => {
  const path = "/services/T0CANARY0/B0CANARY0/canary%20x?api-version=canary1&sig=canary2"

  it.live.each([
    ["an error response that repeats it", Reply.json({ code: path, message: `No ${path}, canary x` }, { status: 404 })],
    ["an error response with a part of it", Reply.json({ code: "canary%20x", message: "T0CANARY0" }, { status: 500 })],
    ["a redirect to it", Reply.redirect(307, path)],
    ["a lost connection", Reply.reset],
    ["a success", Reply.text("ok")],
  ] as const)("is in no error, span, log or metric: %s", ([, reply]) =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([reply])
      const service = yield* ServiceClient.make({
        service: "thing",
        baseUrl: server.origin,
        credential: Credential.none,
        retry: RetryPolicy.make({ retries: 1, baseDelay: 1 }),
      })
      const url = Redacted.make(server.origin + path)
      const { result, spans, text } = yield* record(Effect.result(service.request({ ...post, url, idempotent: true })))
      expect(yield* server.requests).toMatchObject([{ target: path }, ...(spans.length > 2 ? [{ target: path }] : [])])
      expect(spans[0]?.attributes["url.full"]).toBe(server.origin)
      expect(text).not.toMatch(/canary/i)
      expect(printed(result)).not.toMatch(/canary/i)
      expect(printed(yield* Metric.snapshot)).not.toMatch(/canary/i)
    }).pipe(Effect.provide(oneLayer)),
  )

  it.effect("has its longer segments redacted, as written and decoded", () =>
    Effect.gen(function* () {
      const message = "service, Services%2F, services/, team"
      const service = yield* clientOf(fake(() => Response.json({ message }, { status: 400 })))
      const url = Redacted.make("https://service.example/team/service/services%2F?a=b")
      const { error } = yield* outcome(service.request({ ...post, url }))
      expect(error).toMatchObject({ detail: "service, <redacted>, <redacted>, team" })
    }),
  )
})

describe("a response that is not JSON", () => {
  it.effect.each([["ok"], ["1"], [""], ["<html>"]] as const)("is a success if its body is ignored: %j", ([body]) =>
    Effect.gen(function* () {
      const service = yield* clientOf(fake(() => new Response(body)))
      const { error } = yield* outcome(service.get({ operation: "Thing.get", url: "/", decode: Decoder.ignore }))
      expect(error).toBeUndefined()
    }),
  )

  it.effect("is passed to `parseErrorBody`, and secrets in the error code are redacted", () =>
    Effect.gen(function* () {
      const service = yield* clientOf(
        fake(() => new Response("no_service secret-1", { status: 404 })),
        { parseErrorBody: (body) => ({ code: String(body) }) },
      )
      const { error } = yield* outcome(service.request({ ...post, secrets: [Redacted.make("secret-1")] }))
      expect(error).toMatchObject({ _tag: "NotFound", code: "no_service <redacted>" })
    }),
  )
})
