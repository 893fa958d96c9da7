import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { record } from "@vigil/testing/Recorder"
import { clientOf, fake, ok } from "./fake.js"
import { fastRetry } from "./faults/harness.js"

const decode = Decoder.fromSchema(Schema.Struct({ ok: Schema.Boolean }))
const success = Reply.json({ ok: true })

/** Sends a GET, and records its spans. */
const traced = (script: Reply.Script, path: string, options: Partial<ServiceClient.Options> = {}) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const service = yield* ServiceClient.make({
      service: "thing",
      baseUrl: server.origin,
      credential: Credential.none,
      retry: fastRetry,
      ...options,
    })
    const get = Effect.either(service.get({ operation: "Thing.get", url: `${server.origin}${path}`, decode }))
    const { result, spans } = yield* record(get)
    return { server, result, spans, port: new URL(server.origin).port }
  }).pipe(Effect.provide(FetchHttpClient.layer))

describe("spans", () => {
  it.scopedLive("follow the conventions for HTTP clients: one per sent request, in the span of the operation", () =>
    Effect.gen(function* () {
      const { port, server, spans } = yield* traced([Reply.empty(503), success], "/a?api-version=1&$skipToken=abc")
      const common = {
        "http.request.method": "GET",
        "server.address": "127.0.0.1",
        "server.port": Number(port),
        "url.full": `${server.origin}/a?api-version=1&$skipToken=REDACTED`,
      }
      expect(spans).toMatchObject([
        { name: "GET", attributes: { ...common, "http.response.status_code": 503, "error.type": "503" } },
        { name: "GET", attributes: { ...common, "http.response.status_code": 200, "http.request.resend_count": 1 } },
        { name: "Thing.get", attributes: {} },
      ])
    }),
  )

  it.scopedLive("have the exit of the request, without the response", () =>
    Effect.gen(function* () {
      const { result, spans } = yield* traced([success], "/a")
      expect(result).toEqual(Either.right({ ok: true }))
      expect(spans.map(({ exit, name }) => [name, exit])).toEqual([
        ["GET", Exit.void],
        ["Thing.get", Exit.void],
      ])
      const failed = yield* traced([Reply.text("<html>")], "/a")
      expect(failed.spans).toMatchObject([{ exit: Exit.void }, { exit: { cause: { error: { _tag: "DecodeError" } } } }])
    }),
  )

  it.scoped.each([
    ["https://a.example/p?api-version=1&$skipToken=x", "https://a.example/p?api-version=1&$skipToken=REDACTED"],
    [
      "https://a.example/p?$filter=a%20eq%20'b'&%71ueryStartTime=2",
      "https://a.example/p?$filter=a%20eq%20%27b%27&%71ueryStartTime=2",
    ],
    ["https://a.example/p?api-version=1?$skipToken=x", "https://a.example/p?api-version=1?$skipToken=REDACTED"],
    ["https://a.example/p?api-version=1%3F%24skipToken%3Dx", "https://a.example/p?api-version=REDACTED"],
    ["https://a.example/p?%24skip%54oken=x=y&sig=z", "https://a.example/p?%24skip%54oken=REDACTED&sig=REDACTED"],
    ["https://a.example/p?AWSAccessKeyId=x&ticket=y", "https://a.example/p?AWSAccessKeyId=REDACTED&ticket=REDACTED"],
    ["https://a.example/p?flag&=x", "https://a.example/p?flag&=REDACTED"],
    ["https://a.example/p", "https://a.example/p"],
  ] as const)("show %s as %s", ([url, expected]) =>
    Effect.gen(function* () {
      const service = yield* clientOf(fake(ok), { baseUrl: "https://a.example" })
      const { spans } = yield* record(service.get({ operation: "Thing.get", url, decode: Decoder.ignore }))
      expect(spans[0]?.attributes["url.full"]).toBe(expected)
    }),
  )
})
