/** Requests, and unusual responses. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, Link, RetryPolicy, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { layers } from "@vigil/testing/HttpStack"
import { clientOf, drive, failing, fake, get, ok, outcome } from "./fake.js"

const once = { retry: RetryPolicy.none }
const operation = "Thing.get"

describe("a URL of the service", () => {
  it.effect.each([
    ["https://service.example", "/a", {}, "https://service.example/a"],
    ["https://service.example/", "/a", {}, "https://service.example/a"],
    ["https://service.example/v1", "/a", {}, "https://service.example/v1/a"],
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
      const server = fake((n) =>
        n === 1 ? new Response(null, { status: 302, headers: { location: "https://gateway.example/a/b?c" } }) : ok(),
      )
      const service = yield* clientOf(server, { trustedOrigins: ["https://gateway.example"] })
      const options = { operation, url: service.url("/x"), decode: Effect.succeed }
      const { either } = yield* outcome(service.requestWithUrl({ ...options, method: "GET" }))
      expect(either).toEqual(Result.succeed({ value: { ok: true }, url: "https://gateway.example/a/b?c" }))
      expect(Link.toAbsolute("https://gateway.example/a/b?c", "d?e")).toBe("https://gateway.example/a/d?e")
    }),
  )
})

describe("a response", () => {
  it.effect("with a redirect that the browser hides is not followed", () =>
    Effect.gen(function* () {
      // Browsers return status 0 for a redirect that is not followed.
      const { error } = yield* outcome(
        get(
          yield* clientOf(
            fake(() => Response.error()),
            once,
          ),
        ),
      )
      expect(error).toMatchObject({ _tag: "RedirectRefused", reason: "opaque", target: undefined })
    }),
  )

  it.effect("to a change is a success from 200 to 299, and an error from 300", () =>
    Effect.gen(function* () {
      const outcomes: Array<string> = []
      for (const code of [200, 201, 299, 300, 399, 400]) {
        const service = yield* clientOf(
          fake(() => new Response("{}", { status: code })),
          once,
        )
        const change = { operation, url: "/", decode: Decoder.ignore, method: "DELETE" } as const
        outcomes.push((yield* outcome(service.request(change))).error?._tag ?? "success")
      }
      expect(outcomes).toEqual(["success", "success", "success", "ServiceError", "ServiceError", "ServiceError"])
    }),
  )

  it.effect("dies if the decoder throws", () =>
    Effect.gen(function* () {
      const bug = new Error("bug")
      const decode = () => {
        throw bug
      }
      const server = fake(ok)
      const { exit } = yield* drive((yield* clientOf(server)).get({ operation, url: "/", decode }))
      expect(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined).toMatchObject({ message: "bug" })
      expect(server.requests).toHaveLength(1)
    }),
  )
})

describe("a connection that fails", () => {
  it.effect.each([
    ["the system's code", { code: "ECONNRESET" }, "ECONNRESET"],
    ["the code of its cause", { cause: { cause: { code: "ENOTFOUND" } } }, "ENOTFOUND"],
    ["the code of its cause if its own is a number", { code: 20, cause: { code: "EPIPE" } }, "EPIPE"],
    ["no code if it is a number", { code: 20 }, undefined],
    ["no code if the cause has none", new Error("lost"), undefined],
  ] as const)("is reported with %s", ([, cause, code]) =>
    Effect.gen(function* () {
      const service = yield* clientOf(failing(cause), once)
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TransportError", origin: "https://service.example" })
      expect(error).toHaveProperty("code", code)
    }),
  )
})

describe("a client with fetch", () => {
  it.effect("keeps the `RequestInit` of fetch, without following redirects", () =>
    Effect.gen(function* () {
      const inits: Array<RequestInit | undefined> = []
      const fetch: typeof globalThis.fetch = (_, init) => {
        inits.push(init)
        return Promise.resolve(ok())
      }
      const fetchLayer = Layer.mergeAll(
        Layer.succeed(FetchHttpClient.Fetch, fetch),
        Layer.succeed(FetchHttpClient.RequestInit, { credentials: "omit", redirect: "follow" }),
      )
      yield* Effect.gen(function* () {
        const service = yield* ServiceClient.make({
          service: "thing",
          baseUrl: "https://service.example",
          credential: Credential.none,
          ...once,
        })
        yield* get(service)
      }).pipe(Effect.provide(Layer.provideMerge(FetchHttpClient.layer, fetchLayer)))
      expect(inits).toMatchObject([{ credentials: "omit", redirect: "manual" }])
    }),
  )
})

describe.each(layers)("over %s", (_, layer) => {
  it.live("a response with status 205 has no body", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.text("<html>", { status: 205 })])
      const service = yield* ServiceClient.make({
        service: "thing",
        baseUrl: server.origin,
        credential: Credential.none,
        ...once,
      })
      const options = { operation, method: "DELETE", url: service.url("/"), decode: Effect.succeed } as const
      expect(yield* service.request(options)).toBeUndefined()
    }).pipe(Effect.provide(layer)),
  )
})
