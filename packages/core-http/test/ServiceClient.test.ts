import { inspect } from "node:util"
import { FetchHttpClient, Headers, HttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, RetryPolicy, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { printed } from "./fake.js"
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

/** The outcome of a GET of `/thing?secret=…`. */
const get = (script: Reply.Script, options: Partial<ServiceClient.Options> = {}) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const service = yield* client(server.origin, options)
    return yield* service.get({ operation: "Thing.get", url: service.url("/thing", { secret: canary }), decode })
  })

describe.each(layers)("over %s", (_, layer) => {
  it.scoped("sends the credential, accepts JSON, and decodes it", () =>
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

  it.scopedLive("rejected responses leave no open connection", () =>
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
  const failure = (...args: Parameters<typeof get>) => Effect.flip(get(...args)).pipe(Effect.provide(oneLayer))

  it.scoped.each([
    [401, "Unauthorized"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [429, "RateLimited"],
    [400, "ServiceError"],
    [418, "ServiceError"],
    [500, "ServiceError"],
    [503, "ServiceError"],
  ] as const)("%i is %s, with the code and message of the service", ([status, tag]) =>
    Effect.gen(function* () {
      const error = yield* failure([
        Reply.json({ code: "Nope", message: "Not like this." }, { status, headers: { "x-ms-request-id": "r-1" } }),
      ])
      expect(error).toMatchObject({ _tag: tag, status, code: "Nope", detail: "Not like this.", requestId: "r-1" })
      expect(error.message).toMatch(
        /^Thing\.get: the thing service responded \d+ Nope: Not like this\. .+ Request ID: r-1\.$/,
      )
    }),
  )

  // The test clock is at 1970-01-01T00:00:00Z.
  it.scoped.each([
    ["7", 7_000],
    ["Thu, 01 Jan 1970 00:01:00 GMT", 60_000],
    ["Wed, 31 Dec 1969 23:00:00 GMT", 0],
    ["-1", undefined],
    ["abc", undefined],
    ["", undefined],
  ] as const)("an error keeps Retry-After %j", ([header, expected]) =>
    Effect.gen(function* () {
      const error = yield* failure([Reply.empty(429, { "retry-after": header })])
      const wait = error._tag === "RateLimited" ? Option.map(error.retryAfter, Duration.toMillis) : Option.none()
      expect(Option.getOrUndefined(wait)).toBe(expected)
    }),
  )

  it.scoped("long texts of the service are cut", () =>
    Effect.gen(function* () {
      const error = yield* failure([
        Reply.json({ code: "c".repeat(9_000), message: "m".repeat(9_000) }, { status: 500 }),
      ])
      expect(error.message.length).toBeLessThan(1_000)
    }),
  )

  it.scoped("errors do not quote the credential or a paging token", () =>
    Effect.gen(function* () {
      const error = yield* failure(({ headers }) =>
        Reply.json(
          {
            code: headers["authorization"],
            message: `The token ${canary} is not valid for /list?$skipToken=${canary}-next.`,
          },
          { status: 401, headers: { "x-request-id": String(headers["authorization"]) } },
        ),
      )
      expect(error).toMatchObject({
        code: "<redacted>",
        requestId: "<redacted>",
        detail: "The token <redacted> is not valid for /list?$skipToken=<redacted>",
      })
      expect(printed(error)).not.toContain(canary)
    }),
  )

  it.scoped("a log of the request redacts the credential in any header", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([success])
      const lines: Array<string> = []
      const http = HttpClient.tapRequest(yield* HttpClient.HttpClient, (request) =>
        Effect.withFiberRuntime<void>((fiber) =>
          Effect.sync(() => {
            const names = fiber.getFiberRef(Headers.currentRedactedNames)
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

describe("URLs", () => {
  it.scoped("are requested on the service's own origin only", () =>
    Effect.gen(function* () {
      const other = yield* Faults.serve([success])
      const service = yield* client("https://service.example")
      for (const url of [
        other.origin,
        "https://service.example@evil.example/",
        "//evil.example",
        "file:///etc/passwd",
      ]) {
        const error = yield* Effect.flip(service.get({ operation: "Thing.get", url, decode }))
        expect(error).toMatchObject({ _tag: "LinkRefused", operation: "Thing.get" })
        expect(error.message).toMatch(/^Thing\.get: a link of the thing service .*\. Report it/)
      }
      expect(yield* other.bytes).toBe("")
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.scoped.each([
    ["service.example", "malformed"],
    ["", "malformed"],
    ["ftp://service.example", "scheme"],
    ["https://user:word@service.example", "userinfo"],
    ["https://service.example/?a=b", "query"],
  ] as const)("rejects the base URL %j: %s", ([baseUrl, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(client(baseUrl))
      expect(error).toMatchObject({ _tag: "InvalidBaseUrl", reason })
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.scoped("get no credential over plain http to another machine", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(client("http://service.example"))).toMatchObject({
        _tag: "CredentialError",
        reason: "exposed",
      })
      yield* client("http://service.example", { credential: Credential.none })
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})
