/** Requests as they are sent, and unusual clients and responses. */
import { inspect } from "node:util"
import { FetchHttpClient, Headers, HttpClient, HttpClientRequest } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, Link, type Request, Retry } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import { layers } from "@vigil/testing/HttpStack"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { clientOf, drive, fake, get, ok, outcome, status } from "./fake.js"

const once = { retry: Retry.none }
const operation = "Thing.get"
const canary = "canary-2f6d1c"

describe("a URL of the service", () => {
  it.effect.each([
    ["https://service.example", "/a", {}, "https://service.example/a"],
    ["https://service.example/v1///", "/a", {}, "https://service.example/v1/a"],
    ["HTTPS://Service.Example:443", "/a", { b: "c d", $top: "1" }, "https://service.example/a?b=c%20d&$top=1"],
    ["https://service.example", "/a", { "é&": "=", b: "" }, "https://service.example/a?%C3%A9%26=%3D&b="],
    ["https://service.example", "/a", { b: "half \ud83d." }, "https://service.example/a?b=half%20%EF%BF%BD."],
  ] as const)("with base %s, path %s and query %j is %s", ([baseUrl, path, query, expected]) =>
    Effect.gen(function* () {
      expect((yield* clientOf(fake(ok), { baseUrl })).url(path, query)).toBe(expected)
    }),
  )

  it.effect("returned with a response is that of the last redirect", () =>
    Effect.gen(function* () {
      const url = "https://gateway.example/a/b?c"
      const server = fake((n) => (n === 1 ? new Response(null, { status: 302, headers: { location: url } }) : ok()))
      const service = yield* clientOf(server, { trustedOrigins: ["https://gateway.example"] })
      const request = { operation, url: service.url("/x"), decode: Effect.succeed, method: "GET" } as const
      const { result } = yield* outcome(service.requestWithUrl(request))
      expect(result).toEqual(Result.succeed({ value: { ok: true }, url }))
      expect(Link.toAbsolute(url, "d?e")).toBe("https://gateway.example/a/d?e")
    }),
  )
})

describe("a request", () => {
  const post: Request.Request<void> = { operation, method: "POST", url: "/", body: { a: 1 }, decode: Decoder.ignore }

  it.effect("has additional headers, which replace neither the credential nor headers of the protocol", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const credential = Credential.header("X-API-Token", Redacted.make("secret"))
      const service = yield* clientOf(server, { credential, userAgent: "probe/1.0" })
      const replaced =
        "x-api-token X-Api-Token User-Agent Accept content-type Content-Length host connection Transfer-Encoding"
      const headers = { "Webhook-Id": "1", ...Object.fromEntries(replaced.split(" ").map((name) => [name, "other"])) }
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

  it.effect("evaluates its headers again for each attempt", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(503, "3") : ok()))
      const headers = Effect.map(Clock.currentTimeMillis, (now) => ({ at: `${now}` }))
      const service = yield* clientOf(server)
      yield* outcome(service.request({ ...post, headers, idempotent: true }))
      expect(server.requests).toHaveLength(2)
      for (const { at, headers } of server.requests) expect(headers["at"]).toBe(`${at}`)
    }),
  )

  it.effect("sends a form as application/x-www-form-urlencoded", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const body = new URLSearchParams({ a: "ü &=", b: "" })
      yield* outcome((yield* clientOf(server)).request({ ...post, method: "POST", body }))
      expect(server.requests).toMatchObject([
        { body: "a=%C3%BC+%26%3D&b=", headers: { "content-type": "application/x-www-form-urlencoded" } },
      ])
    }),
  )

  it.effect("redacts the credential, in any header, in a log of the HTTP client", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const lines: Array<string> = []
      const log = HttpClient.tapRequest((request) =>
        Effect.withFiber<void>((fiber) =>
          Effect.sync(() => {
            lines.push(inspect(Headers.redact(request.headers, fiber.getRef(Headers.CurrentRedactedNames))))
          }),
        ),
      )
      const credential = Credential.header("x-api-token", Redacted.make(canary))
      yield* get(yield* clientOf(server, { credential, transformClient: log }))
      expect(server.requests).toMatchObject([{ headers: { "x-api-token": canary } }])
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toContain(canary)
    }),
  )
})

describe("a response", () => {
  it.effect("to a change is a success from 200 to 299, and an error from 300", () =>
    Effect.gen(function* () {
      const outcomes: Array<string> = []
      for (const code of [200, 201, 299, 300, 399, 400]) {
        const service = yield* clientOf(fake(() => new Response("{}", { status: code })))
        const change = { operation, url: "/", decode: Decoder.ignore, method: "DELETE" } as const
        outcomes.push((yield* outcome(service.request(change))).reason?._tag ?? "success")
      }
      expect(outcomes).toEqual([...Array(3).fill("success"), ...Array(3).fill("ServiceFailure")])
    }),
  )

  it.effect("is decoded as text if the request says so, also if it is empty or not JSON", () =>
    Effect.gen(function* () {
      const values: Array<unknown> = []
      for (const body of ["ok", "", '{"a":1}']) {
        const service = yield* clientOf(fake(() => new Response(body)))
        const request = { operation, url: "/", decode: Effect.succeed, responseType: "text" } as const
        values.push(yield* service.get(request))
      }
      expect(values).toEqual(["ok", "", '{"a":1}'])
    }),
  )

  it.effect("dies if the decoder throws", () =>
    Effect.gen(function* () {
      const decode = () => {
        throw new Error("bug")
      }
      const server = fake(ok)
      const { exit } = yield* drive((yield* clientOf(server)).get({ operation, url: "/", decode }))
      expect(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined).toMatchObject({ message: "bug" })
      expect(server.requests).toHaveLength(1)
    }),
  )
})

describe("a client", () => {
  it.effect("whose transformClient throws or reads bodies dies without a retry", () =>
    Effect.gen(function* () {
      const bug = () => {
        throw new TypeError("bug")
      }
      const transforms = [HttpClient.mapRequest(bug), HttpClient.tap((response) => Effect.ignore(response.text))]
      for (const transformClient of transforms) {
        const server = fake(ok)
        const { exit } = yield* drive(get(yield* clientOf(server, { transformClient })))
        expect(exit).toMatchObject({ cause: { reasons: [{ _tag: "Die" }] } })
        expect(server.requests.length).toBeLessThanOrEqual(1)
      }
    }),
  )

  it.effect("with fetch keeps its `RequestInit`, without following redirects", () =>
    Effect.gen(function* () {
      const inits: Array<RequestInit | undefined> = []
      const fetch: typeof globalThis.fetch = (_, init) => {
        inits.push(init)
        return Promise.resolve(ok())
      }
      const init = { credentials: "omit", redirect: "follow" } as const
      yield* Effect.flatMap(HttpClient.HttpClient, (http) => Effect.flatMap(clientOf({ http }), get)).pipe(
        Effect.provide(FetchHttpClient.layer),
        Effect.provideService(FetchHttpClient.Fetch, fetch),
        Effect.provideService(FetchHttpClient.RequestInit, init),
      )
      expect(inits).toMatchObject([{ credentials: "omit", redirect: "manual" }])
    }),
  )
})

describe.each(layers)("over %s", (_, layer) => {
  it.live("fails for an invalid header", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json({ ok: true })])
      const transformClient = HttpClient.mapRequest(HttpClientRequest.setHeader("x-note", "a\nb"))
      const http = yield* HttpClient.HttpClient
      const service = yield* clientOf({ http }, { ...once, baseUrl: server.origin, transformClient })
      expect(yield* Effect.flip(get(service))).toMatchObject({ reason: { _tag: "Transport" } })
      expect(yield* server.requests).toEqual([])
    }).pipe(Effect.provide(layer)),
  )
})
