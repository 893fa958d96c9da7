/** What the HTTP clients of Effect do. If one of these tests fails, code of this package may have lost its reason: see docs/decisions. */
import { HttpClient, HttpClientRequest, HttpIncomingMessage } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import { layers, oneLayer } from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as ByteSize from "effect/ByteSize"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as TestClock from "effect/testing/TestClock"
import { drive } from "./fake.js"

const token = { "x-api-token": "t0" }

describe.each(layers)("over %s", (name, layer) => {
  it.live("a redirect takes a header with a token to another origin", () =>
    Effect.gen(function* () {
      const other = yield* Faults.serve([Reply.json({})])
      const server = yield* Faults.serve([Reply.redirect(302, `${other.origin}/x`)])
      // Fetch follows by itself.
      const client = HttpClient.followRedirects(yield* HttpClient.HttpClient)
      yield* Effect.flatMap(client.get(server.origin, { headers: token }), ({ text }) => text)
      expect(yield* other.requests).toMatchObject([{ headers: token }])
    }).pipe(Effect.provide(layer)),
  )

  it.live("MaxBodySize limits a body over node only", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.text("x".repeat(1_000))])
      const read = Effect.flatMap(HttpClient.get(server.origin), ({ text }) => text)
      const limited = Effect.provideService(read, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(10))
      expect((yield* Effect.result(limited))._tag).toBe(name === "node" ? "Failure" : "Success")
    }).pipe(Effect.provide(layer)),
  )

  it.live("only fetch decompresses, without a limit", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.gzip(Reply.json({}))])
      const read = Effect.flatMap(HttpClient.get(server.origin), ({ text }) => text)
      expect((yield* read) === "{}").toBe(name === "fetch")
    }).pipe(Effect.provide(layer)),
  )

  it.live("a timeout of a request does not cover its body", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.drip("x", 10)])
      const response = yield* Effect.timeout(HttpClient.get(server.origin), "10 seconds")
      expect(yield* Effect.timeoutOption(response.text, "200 millis")).toMatchObject({ _tag: "None" })
    }).pipe(Effect.provide(layer)),
  )
})

it.live("retryTransient repeats a POST", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.empty(503), Reply.json({})])
    const client = HttpClient.retryTransient(yield* HttpClient.HttpClient, { times: 1 })
    yield* client.post(server.origin)
    expect(yield* server.requests).toMatchObject([{ method: "POST" }, { method: "POST" }])
  }).pipe(Effect.provide(oneLayer)),
)

it.live("a span has the query of its URL", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.json({})])
    const { text } = yield* Recorder.record(HttpClient.get(`${server.origin}/?$skipToken=canary`))
    expect(text).toContain("canary")
  }).pipe(Effect.provide(oneLayer)),
)

it("a request with a URL object writes its query anew", () => {
  const { urlParams } = HttpClientRequest.get(new URL("https://a.example/?$filter=a%20b"))
  expect(urlParams.params).toEqual([["$filter", "a b"]])
})

it.effect("a fixed window of RateLimiter lets almost twice as many requests begin within its length", () =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter.makeWithRateLimiter
    const begun: Array<number> = []
    const request = limiter({
      algorithm: "fixed-window",
      onExceeded: "delay",
      window: "1 minute",
      limit: 10,
      key: "a",
    })(Effect.map(Clock.currentTimeMillis, (now) => begun.push(now)))
    yield* request
    yield* TestClock.setTime(5_900)
    yield* drive(Effect.replicateEffect(request, 19, { concurrency: "unbounded" }))
    expect(begun.filter((at) => at >= 5_900 && at < 65_900)).toHaveLength(19)
  }).pipe(Effect.provide(Layer.provide(RateLimiter.layer, RateLimiter.layerStoreMemory))),
)
