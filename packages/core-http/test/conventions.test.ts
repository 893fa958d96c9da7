/** Spans and metrics of sent requests, by OpenTelemetry's conventions. */
import { HttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Decoder, RetryPolicy, type ServiceClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, endless, fake, get, lost, ok, outcome, settle, status } from "./fake.js"
import { record } from "@vigil/testing/Recorder"

const once = { retry: RetryPolicy.none }

/** The attributes of the request spans, without the span of the operation. */
const traced = (server: ReturnType<typeof fake>, options: Partial<ServiceClient.Options> = once, path = "/thing") =>
  Effect.gen(function* () {
    const service = yield* clientOf(server, options)
    const { spans } = yield* record(outcome(get(service, path)))
    return spans.filter(({ name }) => name !== "Thing.get").map(({ attributes }) => attributes)
  })

/** The span attributes of a request that is interrupted while it waits. */
const cancelled = (server: ReturnType<typeof fake>, options: Partial<ServiceClient.Options> = once) =>
  Effect.gen(function* () {
    const service = yield* clientOf(server, options)
    const { spans } = yield* record(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(get(service))
        yield* settle
        yield* Fiber.interrupt(fiber)
      }),
    )
    return spans.find(({ name }) => name === "GET")?.attributes
  })

/** The histogram of requests to a server that no other test uses. */
const measured = (server: string) =>
  Effect.map(Metric.snapshot, (all) =>
    all.flatMap((metric) =>
      metric.type === "Histogram" && metric.attributes?.["server.address"] === server
        ? [{ tags: metric.attributes, state: metric.state, name: metric.id, description: metric.description ?? null }]
        : [],
    ),
  )

describe("the span of a request", () => {
  const common = {
    "http.request.method": "GET",
    "server.address": "service.example",
    "server.port": 443,
    "url.full": "https://service.example/thing",
  }

  it.effect("contains exactly method, server, URL and status", () =>
    Effect.gen(function* () {
      expect(yield* traced(fake(ok))).toStrictEqual([{ ...common, "http.response.status_code": 200 }])
    }),
  )

  it.effect.each([
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
  ] as const)("shows %s as %s", ([url, expected]) =>
    Effect.gen(function* () {
      const service = yield* clientOf(fake(ok), { baseUrl: "https://a.example" })
      const { spans } = yield* record(service.get({ operation: "Thing.get", url, decode: Decoder.ignore }))
      expect(spans[0]?.attributes["url.full"]).toBe(expected)
    }),
  )

  it.effect("has the exit of the request, without the response", () =>
    Effect.gen(function* () {
      const exits = (respond: () => Response) =>
        Effect.gen(function* () {
          const service = yield* clientOf(fake(respond), once)
          const request = service.get({ operation: "Thing.get", url: "/", decode: Effect.succeed })
          const { spans } = yield* record(outcome(request))
          return spans.map(({ exit, name }) => [name, exit])
        })
      expect(yield* exits(ok)).toEqual([
        ["GET", Exit.void],
        ["Thing.get", Exit.void],
      ])
      expect(yield* exits(() => new Response("<html>"))).toMatchObject([
        ["GET", Exit.void],
        ["Thing.get", { cause: { reasons: [{ error: { _tag: "DecodeError" } }] } }],
      ])
    }),
  )

  it.effect("counts earlier attempts", () =>
    Effect.gen(function* () {
      const spans = yield* traced(
        fake((n) => (n === 1 ? status(503) : n === 2 ? lost : ok())),
        {},
      )
      expect(spans).toStrictEqual([
        { ...common, "http.response.status_code": 503, "error.type": "503" },
        { ...common, "error.type": "TransportError", "http.request.resend_count": 1 },
        { ...common, "http.response.status_code": 200, "http.request.resend_count": 2 },
      ])
    }),
  )

  it.effect.each([
    ["https://service.example", "service.example", 443],
    ["http://service.example", "service.example", 80],
    ["https://service.example:8443", "service.example", 8_443],
    ["http://service.example:443", "service.example", 443],
    ["http://127.0.0.1:8080", "127.0.0.1", 8_080],
    ["https://[2001:db8::1]", "2001:db8::1", 443],
  ] as const)("names the server of %s: %s, port %i", ([baseUrl, server, port]) =>
    Effect.gen(function* () {
      const [span] = yield* traced(fake(ok), { ...once, baseUrl })
      expect(span).toMatchObject({ "server.address": server, "server.port": port })
    }),
  )

  it.effect("has the error type TimeoutError after a timeout", () =>
    Effect.gen(function* () {
      const [span] = yield* traced(
        fake(() => Effect.never),
        { ...once, timeout: "1 second" },
      )
      expect(span).toStrictEqual({ ...common, "error.type": "TimeoutError" })
    }),
  )

  it.effect("marks a request as cancelled, before or during the response", () =>
    Effect.gen(function* () {
      expect(yield* cancelled(fake(() => Effect.never))).toStrictEqual({ ...common, "error.type": "cancelled" })
      expect(yield* cancelled(fake(endless().response))).toStrictEqual({
        ...common,
        "http.response.status_code": 200,
        "error.type": "cancelled",
      })
    }),
  )

  it.effect("marks a defect as _OTHER", () =>
    Effect.gen(function* () {
      const http = HttpClient.make(() => Effect.die("canary"))
      const service = yield* clientOf({ ...fake(ok), http }, once)
      const { spans } = yield* record(Effect.exit(get(service)))
      expect(spans[0]?.attributes).toStrictEqual({ ...common, "error.type": "_OTHER" })
    }),
  )
})

describe("the measured duration of requests", () => {
  /** Returns a new host, because the metrics of a process are kept for all runs of a test. */
  const newHost = (): string => `${crypto.randomUUID()}.example`

  const slow = (server: string, respond: () => Response, delay = 2_500) =>
    Effect.gen(function* () {
      // At 0, a duration since the epoch would look right.
      yield* TestClock.adjust("1 hour")
      yield* traced(
        fake(() => Effect.delay(Effect.sync(respond), delay)),
        { ...once, baseUrl: `https://${server}`, timeout: "1 minute" },
      )
    })

  it.effect("is in seconds, from sending to the end of the response, with method, server, status and error", () =>
    Effect.gen(function* () {
      const host = newHost()
      yield* slow(host, () => status(404))
      expect(yield* measured(host)).toMatchObject([
        {
          name: "http.client.request.duration",
          description: expect.stringMatching(/^Duration of HTTP client requests/),
          tags: {
            "http.request.method": "GET",
            "server.address": host,
            "server.port": "443",
            "http.response.status_code": "404",
            "error.type": "404",
            unit: "s",
          },
          state: { count: 1, sum: 2.5, min: 2.5, max: 2.5 },
        },
      ])
    }),
  )
})
