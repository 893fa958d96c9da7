/** Requests as they are sent, and unusual clients and responses. */
import { inspect } from "node:util"
import { FetchHttpClient, Headers, HttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, type Decoder } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { clientOf, drive, fake, get, ok, outcome } from "./fake.js"

const operation = "Thing.get"

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

  it.effect("that a decoder gets is that of the last redirect", () =>
    Effect.gen(function* () {
      const url = "https://gateway.example/a/b?c"
      const server = fake((n) => (n === 1 ? new Response(null, { status: 302, headers: { location: url } }) : ok()))
      const service = yield* clientOf(server, { trustedOrigins: ["https://gateway.example"] })
      const decode: Decoder.Decoder<unknown> = (json, { status, url }) => Effect.succeed({ json, status, url })
      const { result } = yield* outcome(service.get({ operation, url: "/x", decode }))
      expect(result).toEqual(Result.succeed({ json: { ok: true }, status: 200, url }))
    }),
  )
})

describe("a request", () => {
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
      const credential = Credential.header("x-api-token", Redacted.make("canary-2f6d1c"))
      yield* get(yield* clientOf(server, { credential, transformClient: log }))
      expect(server.requests).toMatchObject([{ headers: { "x-api-token": "canary-2f6d1c" } }])
      expect(lines).toEqual([expect.not.stringContaining("canary")])
    }),
  )
})

it.effect("a response is decoded as text if the request says so, also if it is empty or not JSON", () =>
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

it.effect("a request dies without a retry if its decoder or transformClient throws, or the latter reads the body", () =>
  Effect.gen(function* () {
    const bug = () => {
      throw new TypeError("bug")
    }
    for (const [decode, transformClient] of [
      [bug, undefined],
      [Effect.succeed, HttpClient.mapRequest(bug)],
      [
        Effect.succeed,
        HttpClient.tap((response: { readonly text: Effect.Effect<string, unknown> }) => Effect.ignore(response.text)),
      ],
    ] as const) {
      const server = fake(ok)
      const service = yield* clientOf(server, { transformClient })
      const { exit } = yield* drive(service.get({ operation, url: "/", decode }))
      expect(exit).toMatchObject({ cause: { reasons: [{ _tag: "Die" }] } })
      expect(server.requests.length).toBeLessThanOrEqual(1)
    }
  }),
)

it.effect("a client with fetch keeps its `RequestInit`, without following redirects", () =>
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
