import { inspect } from "node:util"
import { Headers, HttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, RetryPolicy, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { layers, oneLayer } from "@vigil/testing/HttpStack"

const canary = "canary-2f6d1c"
const success = Reply.json({ ok: true })
const decode = Decoder.fromSchema(Schema.Struct({ ok: Schema.Boolean }))

const client = (baseUrl: string, options: Partial<ServiceClient.Options> = {}) =>
  ServiceClient.make({
    service: "thing",
    baseUrl,
    credential: Credential.bearer(Redacted.make(canary)),
    retry: RetryPolicy.none,
    ...options,
  })

describe.each(layers)("over %s", (_, layer) => {
  it.effect("sends the credential, accepts JSON, and decodes it", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([success])
      const service = yield* client(`${server.origin}/base/`)
      const url = service.url("/a%2Fb/c", { $filter: "service eq 'A&B'", "api-version": "1" })
      expect(yield* service.get({ operation: "Thing.get", url, decode })).toEqual({ ok: true })
      expect(yield* server.requests).toMatchObject([
        {
          method: "GET",
          target: "/base/a%2Fb/c?$filter=service%20eq%20%27A%26B%27&api-version=1",
          headers: { authorization: `Bearer ${canary}`, accept: "application/json" },
        },
      ])
    }).pipe(Effect.provide(layer)),
  )

  it.live("rejected responses leave no open connection", () =>
    Effect.gen(function* () {
      const large = "x".repeat(300_000)
      for (const status of [302, 500, 200]) {
        const server = yield* Faults.serve([
          Reply.text(large, { status, headers: { location: "https://elsewhere.example" } }),
        ])
        const service = yield* client(server.origin, { maxBodyBytes: 1_000 })
        const once = Effect.flip(service.get({ operation: "Thing.get", url: service.url("/"), decode }))
        yield* Effect.replicateEffect(once, 20, { discard: true })
        yield* server.awaitConnections(4)
      }
    }).pipe(Effect.provide(layer)),
  )
})

describe("over any HTTP stack", () => {
  it.effect("a log of the request redacts the credential in any header", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([success])
      const lines: Array<string> = []
      const http = HttpClient.tapRequest(yield* HttpClient.HttpClient, (request) =>
        Effect.withFiber<void>((fiber) =>
          Effect.sync(() => {
            const names = fiber.getRef(Headers.CurrentRedactedNames)
            lines.push(inspect(Headers.redact(request.headers, names)))
          }),
        ),
      )
      const credential = Credential.header("x-api-token", Redacted.make(canary))
      const service = yield* Effect.provideService(client(server.origin, { credential }), HttpClient.HttpClient, http)
      yield* service.get({ operation: "Thing.get", url: service.url("/"), decode })
      expect(yield* server.requests).toMatchObject([{ headers: { "x-api-token": canary } }])
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toContain(canary)
    }).pipe(Effect.provide(oneLayer)),
  )
})
