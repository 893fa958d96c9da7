import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import { FetchHttpClient, Headers, HttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, RetryPolicy, ServiceClient } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import { layers, printed } from "./faults/harness.js"
import { say, serve } from "./server.js"

const canary = "canary-2f6d1c"
const decode = Decoder.fromSchema(Schema.Struct({ ok: Schema.Boolean }))

const client = (baseUrl: string, options: Partial<ServiceClient.Options> = {}) =>
  ServiceClient.make({
    baseUrl,
    credential: Credential.bearer(Redacted.make(canary)),
    retry: RetryPolicy.none,
    ...options,
  })

/** A GET of `/thing?secret=…` from a server that answers so, and what came of it. */
const get = (answer: Parameters<typeof serve>[0], options: Partial<ServiceClient.Options> = {}) =>
  Effect.gen(function* () {
    const server = yield* serve(answer)
    const service = yield* client(server.url, options)
    return yield* service.get({ operation: "Thing.get", url: service.url("/thing", { secret: canary }), decode })
  })

describe.each(layers)("over %s", (_, layer) => {
  const failure = (...args: Parameters<typeof get>) => Effect.flip(get(...args)).pipe(Effect.provide(layer))

  it.scoped("sends the credential, asks for JSON, and decodes it", () =>
    Effect.gen(function* () {
      const server = yield* serve(say(200, `\ufeff{"ok":true}`))
      const service = yield* client(`${server.url}/base/`)
      const url = service.url("/a%2Fb/c", { $filter: "service eq 'A&B'", "api-version": "1" })
      expect(yield* service.get({ operation: "Thing.get", url, decode })).toEqual({ ok: true })
      expect(server.seen).toHaveLength(1)
      expect(server.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${canary}`, accept: "application/json" })
      expect(server.seen[0]?.url).toBe("/base/a%2Fb/c?$filter=service%20eq%20%27A%26B%27&api-version=1")
      expect(server.seen[0]?.headers).not.toHaveProperty("traceparent")
    }).pipe(Effect.provide(layer)),
  )

  it.scoped.each([
    [401, "Unauthorized"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [411, "LengthRequired"],
    [429, "RateLimited"],
    [400, "ServiceError"],
    [418, "ServiceError"],
    [500, "ServiceError"],
    [503, "ServiceError"],
  ] as const)("%i is %s, with the service's own words", ([status, tag]) =>
    Effect.gen(function* () {
      const error = yield* failure(
        say(status, `{"code":"Nope","message":"Not like this."}`, { "x-ms-request-id": "r-1" }),
      )
      expect(error).toMatchObject({ _tag: tag, status, code: "Nope", detail: "Not like this.", requestId: "r-1" })
      expect(error.message).toMatch(/^Thing\.get: the service answered \d+ Nope: Not like this\. .+ Request id: r-1\.$/)
    }),
  )

  it.scoped.each([
    ["a page of HTML", "<html>no</html>"],
    ["nothing", ""],
    ["other JSON", "[1]"],
    ["5 MB", JSON.stringify({ message: "x".repeat(5_000_000) })],
  ] as const)("an error body that is %s leaves the status", ([, body]) =>
    Effect.gen(function* () {
      const error = yield* failure(say(500, body))
      expect(error).toMatchObject({ _tag: "ServiceError", status: 500, code: undefined, detail: undefined })
    }),
  )

  it.scoped.each([204, 201, 206] as const)("%i, where a body is due, is a ServiceError", (status) =>
    Effect.gen(function* () {
      expect(yield* failure(say(status))).toMatchObject({ _tag: "ServiceError", status })
    }),
  )

  // The test's clock stands at 1970-01-01T00:00:00Z.
  it.scoped.each([
    ["7", 7_000],
    ["Thu, 01 Jan 1970 00:01:00 GMT", 60_000],
    ["Wed, 31 Dec 1969 23:00:00 GMT", 0],
    ["-1", undefined],
    ["abc", undefined],
    ["", undefined],
  ] as const)("Retry-After %j is kept with the error", ([header, expected]) =>
    Effect.gen(function* () {
      const error = yield* failure(say(429, "", { "retry-after": header }))
      const wait = error._tag === "RateLimited" ? Option.map(error.retryAfter, Duration.toMillis) : Option.none()
      expect(Option.getOrUndefined(wait)).toBe(expected)
    }),
  )

  it.scoped.each([
    ["HTML", "<html></html>", "is no JSON"],
    ["nothing", "", "is no JSON"],
    ["another shape", `{"ok":"${canary}"}`, "is missing or has the wrong type"],
  ] as const)("a success that is %s is a DecodeError, without what was sent", ([, body, reason]) =>
    Effect.gen(function* () {
      expect(yield* failure(say(200, body))).toMatchObject({ _tag: "DecodeError", operation: "Thing.get", reason })
    }),
  )

  it.scoped("a body over the limit is BodyTooLarge, declared or not", () =>
    Effect.gen(function* () {
      const body = `{"ok":true,"rest":"${"x".repeat(200_000)}"}`
      const declared = yield* failure(say(200, body, { "content-length": String(body.length) }), {
        maxBodyBytes: 100_000,
      })
      const chunked = yield* failure((__, response) => response.writeHead(200).end(body), { maxBodyBytes: 100_000 })
      expect([declared, chunked]).toMatchObject([
        { _tag: "BodyTooLarge", limit: 100_000 },
        { _tag: "BodyTooLarge", limit: 100_000 },
      ])
    }),
  )

  it.scoped.each([301, 302, 303, 307, 308] as const)(
    "%i to another origin is refused, and nothing goes there",
    (status) =>
      Effect.gen(function* () {
        const other = yield* serve(say(200, `{"ok":true}`))
        const error = yield* failure(say(status, "", { location: `${other.url}/stolen` }))
        expect(error).toMatchObject({ _tag: "RedirectRefused", target: other.url })
        expect(error.message).toContain(other.url)
        expect(other.seen).toEqual([])
      }),
  )

  it.scoped("a malformed Location is a RedirectRefused too", () =>
    Effect.gen(function* () {
      expect(yield* failure(say(302, "", { location: "http://" }))).toMatchObject({
        _tag: "RedirectRefused",
        target: undefined,
      })
    }),
  )

  it.scoped("a refused connection is a TransportError that names the reason", () =>
    Effect.gen(function* () {
      const server = yield* serve(say(200))
      server.stop()
      const service = yield* client(server.url)
      const error = yield* Effect.flip(service.get({ operation: "Thing.get", url: service.url("/"), decode }))
      expect(error).toMatchObject({ _tag: "TransportError", code: "ECONNREFUSED", origin: server.url })
      expect(error.message).toContain("refused")
    }).pipe(Effect.provide(layer)),
  )

  it.scoped.each([
    ["before the headers", (response: ServerResponse) => response.destroy()],
    [
      "within the body",
      (response: ServerResponse) =>
        response.writeHead(200, { "content-length": "100" }).write(`{"ok":`, () => response.destroy()),
    ],
  ] as const)("a connection that is reset %s is a TransportError", ([, reset]) =>
    Effect.gen(function* () {
      expect(yield* failure((__, response) => void reset(response))).toMatchObject({ _tag: "TransportError" })
    }),
  )

  it.scopedLive.each([
    ["is never answered", () => undefined],
    ["drips", (response: ServerResponse) => response.writeHead(200).write(" ")],
  ] as const)("a request that %s is a TimeoutError", ([, stall]) =>
    Effect.gen(function* () {
      expect(yield* failure((__, response) => void stall(response), { timeout: "100 millis" })).toMatchObject({
        _tag: "TimeoutError",
        after: Duration.millis(100),
      })
    }),
  )

  it.scopedLive("an error body that never ends leaves the status", () =>
    Effect.gen(function* () {
      const error = yield* failure((__, response) => void response.writeHead(403).write("{"))
      expect(error).toMatchObject({ _tag: "Forbidden", detail: undefined })
    }),
  )

  it.scoped("words that are too many are cut", () =>
    Effect.gen(function* () {
      const error = yield* failure(say(500, JSON.stringify({ code: "c".repeat(9_000), message: "m".repeat(9_000) })))
      expect(error.message.length).toBeLessThan(1_000)
    }),
  )

  it.scoped("a service that repeats the credential, or its own paging token, is not quoted with it", () =>
    Effect.gen(function* () {
      const error = yield* failure((request, response) =>
        response.writeHead(401, { "x-request-id": String(request.headers.authorization) }).end(
          JSON.stringify({
            code: request.headers.authorization,
            message: `The token ${canary} is not valid for /list?$skipToken=${canary}-next.`,
          }),
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

  it.scopedLive("answers that are refused leave no connection behind", () =>
    Effect.gen(function* () {
      const large = "x".repeat(300_000)
      for (const status of [302, 500, 200]) {
        const server = yield* serve(say(status, large, { location: "https://elsewhere.example" }))
        const service = yield* client(server.url, { maxBodyBytes: 1_000 })
        const once = Effect.flip(service.get({ operation: "Thing.get", url: service.url("/"), decode }))
        yield* Effect.replicateEffect(once, 20, { discard: true })
        expect(yield* server.connections).toBeLessThan(5)
      }
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("a log of the request shows the credential redacted, whatever its header is called", () =>
    Effect.gen(function* () {
      const server = yield* serve(say(200, `{"ok":true}`))
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
      const service = yield* Effect.provideService(client(server.url, { credential }), HttpClient.HttpClient, http)
      yield* service.get({ operation: "Thing.get", url: service.url("/"), decode })
      expect(server.seen[0]?.headers).toMatchObject({ "x-api-token": canary })
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toContain(canary)
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("a span ends as the operation does, and keeps nothing of the answer", () =>
    Effect.gen(function* () {
      const ended: Array<readonly [string, Exit.Exit<unknown, unknown>]> = []
      const tracer = Tracer.make({
        context: (run) => run(),
        span: (name, parent, context, links, startTime, kind) => ({
          _tag: "Span",
          name,
          parent,
          context,
          links,
          kind,
          spanId: "1",
          traceId: "1",
          sampled: true,
          attributes: new Map(),
          status: { _tag: "Started", startTime },
          attribute: () => undefined,
          addLinks: () => undefined,
          event: () => undefined,
          end: (_time, exit) => void ended.push([name, exit]),
        }),
      })
      yield* get(say(200, `{"ok":true}`)).pipe(Effect.provide(layer), Effect.withTracer(tracer))
      yield* failure(say(200, "<html>")).pipe(Effect.withTracer(tracer))
      // One for each request that left, and one around them by the operation's name.
      expect(ended).toMatchObject([
        ["GET", Exit.void],
        ["Thing.get", Exit.void],
        ["GET", Exit.void],
        ["Thing.get", { cause: { error: { _tag: "DecodeError" } } }],
      ])
    }),
  )

  it.scoped("no error shows the credential or the query, however it is printed", () =>
    Effect.gen(function* () {
      const errors = [
        yield* failure(say(401)),
        yield* failure(say(200, `{"ok":"${canary}"}`)),
        yield* failure(say(302, "", { location: `http://127.0.0.1:1/?secret=${canary}` })),
        yield* failure((__, response) => response.destroy()),
        yield* failure(say(200, " ".repeat(100)), { maxBodyBytes: 10 }),
      ]
      for (const error of errors) expect(printed(error)).not.toContain(canary)
    }),
  )
})

describe("addresses", () => {
  it.scoped("are reached on the service's own origin only, whoever asks", () =>
    Effect.gen(function* () {
      const other = yield* serve(say(200, `{"ok":true}`))
      const service = yield* client("https://service.example")
      for (const url of [other.url, "https://service.example@evil.example/", "//evil.example", "file:///etc/passwd"]) {
        const error = yield* Effect.flip(service.get({ operation: "Thing.get", url, decode }))
        expect(error).toMatchObject({ _tag: "LinkRefused", operation: "Thing.get" })
        expect(error.message).toMatch(/^Thing\.get: a link of the service .* was not followed\. Report it/)
      }
      expect(other.seen).toEqual([])
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.scoped.each([
    ["service.example", "malformed"],
    ["", "malformed"],
    ["ftp://service.example", "scheme"],
    ["https://user:word@service.example", "userinfo"],
    ["https://service.example/?a=b", "query"],
  ] as const)("%j is refused as a base address: %s", ([baseUrl, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(client(baseUrl))
      expect(error).toMatchObject({ _tag: "InvalidBaseUrl", reason })
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.scoped("that are plain http to another machine get no credential", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(client("http://service.example"))).toMatchObject({
        _tag: "CredentialError",
        reason: "exposed",
      })
      yield* client("http://service.example", { credential: Credential.none })
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})
