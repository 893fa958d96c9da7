/** Spans and metrics of sent requests, by OpenTelemetry's conventions. */
import { HttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Retry, type ServiceClient } from "@vigil/core-http"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as Tracer from "effect/Tracer"
import { clientOf, drive, endless, fake, get, lost, ok, outcome, printed, settle, status } from "./fake.js"
import { record } from "@vigil/testing/Recorder"

const once = { retry: Retry.none }

/** The attributes of the spans of sent requests. */
const traced = (
  server: Pick<ReturnType<typeof fake>, "http">,
  options: Partial<ServiceClient.Options> = once,
  use: (service: ServiceClient.Service) => Effect.Effect<unknown, unknown> = (service) => outcome(get(service)),
) =>
  Effect.gen(function* () {
    const service = yield* clientOf(server, options)
    const { spans } = yield* record(use(service))
    return spans.filter(({ name }) => name !== "Thing.get").map(({ attributes }) => attributes)
  })

describe("the span of a request", () => {
  const common = {
    "http.request.method": "GET",
    "server.address": "service.example",
    "server.port": 443,
    "url.full": "https://service.example/thing",
  }

  it.effect.each([
    ["?$filter=a%20eq%20'b'&%71ueryStartTime=2", "?$filter=a%20eq%20%27b%27&%71ueryStartTime=2"],
    ["?api-version=1?$skipToken=x", "?api-version=1?$skipToken=REDACTED"],
    ["?api-version=1%3F%24skipToken%3Dx", "?api-version=REDACTED"],
    ["?%24skip%54oken=x=y&sig=z", "?%24skip%54oken=REDACTED&sig=REDACTED"],
    ["?flag&=x", "?flag&=REDACTED"],
  ] as const)("shows the query %s as %s, and the server", ([query, expected]) =>
    Effect.gen(function* () {
      const baseUrl = "http://[2001:db8::1]:8080"
      const [span] = yield* traced(fake(ok), { baseUrl }, (service) => get(service, `/p${query}`))
      expect(span).toMatchObject({
        "url.full": `${baseUrl}/p${expected}`,
        "server.address": "2001:db8::1",
        "server.port": 8_080,
      })
    }),
  )

  it.effect("has the exit of the request, without the response", () =>
    Effect.gen(function* () {
      const service = yield* clientOf(fake(ok), once)
      const request = { operation: "Thing.get", url: "/" }
      const succeed = service.get({ ...request, decode: Effect.succeed })
      const fail = service.get({ ...request, decode: () => Effect.fail({ path: "", problem: "is wrong" }) })
      const { spans } = yield* record(outcome(Effect.andThen(succeed, fail)))
      expect(spans.map(({ exit, name }) => [name, exit])).toMatchObject([
        ["GET", Exit.void],
        ["Thing.get", Exit.void],
        ["GET", Exit.void],
        ["Thing.get", { cause: { reasons: [{ error: { reason: { _tag: "Decode" } } }] } }],
      ])
    }),
  )

  it.effect("has exactly method, server, URL, status, error type and the number of earlier attempts", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(503) : n === 2 ? lost : n === 3 ? Effect.never : ok()))
      expect(yield* traced(server, { timeout: "1 second" })).toStrictEqual([
        { ...common, "http.response.status_code": 503, "error.type": "503" },
        { ...common, "error.type": "Transport", "http.request.resend_count": 1 },
        { ...common, "error.type": "Timeout", "http.request.resend_count": 2 },
        { ...common, "http.response.status_code": 200, "http.request.resend_count": 3 },
      ])
    }),
  )

  it.effect("marks a cancelled request, and a defect as _OTHER", () =>
    Effect.gen(function* () {
      const cancelled = (service: ServiceClient.Service) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(get(service))
          yield* settle
          yield* Fiber.interrupt(fiber)
        })
      const [span] = yield* traced(fake(endless().response), once, cancelled)
      expect(span).toMatchObject({ "http.response.status_code": 200, "error.type": "cancelled" })
      const http = HttpClient.make(() => Effect.die("canary"))
      const [died] = yield* traced({ http }, once, (service) => Effect.exit(get(service)))
      expect(died).toStrictEqual({ ...common, "error.type": "_OTHER" })
    }),
  )
})

it.effect("the references of `HttpClient` name spans, and turn off spans and propagation, without secrets", () =>
  Effect.gen(function* () {
    const secret = "canary-5d21"
    const respond = () => new Response(`{"ok":true}`, { headers: { "request-id": secret, "x-request-id": "r1" } })
    const server = fake(respond)
    const credential = Credential.header("x-api-token", Redacted.make(secret))
    const seen: Array<string> = []
    const call = (service: ServiceClient.Service) => outcome(get(service, `/thing?$skipToken=${secret}`))
    const span = yield* traced(server, { credential }, call).pipe(
      Effect.provideService(HttpClient.SpanNameGenerator, (request) => {
        seen.push(printed(request))
        return `thing ${request.url}`
      }),
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    )
    const off = yield* traced(server, { credential }, call).pipe(
      Effect.provideService(HttpClient.TracerDisabledWhen, (request) => {
        seen.push(printed(request))
        return true
      }),
    )
    const disabled = yield* traced(server, { credential }, call).pipe(
      Effect.provideService(Tracer.DisablePropagation, true),
    )
    expect(disabled).toEqual([])
    yield* traced(server, { credential }, call)
    expect(span).toMatchObject([
      {
        "http.response.header.request-id": "<redacted>",
        "http.response.header.x-request-id": "r1",
      },
    ])
    expect(off).toEqual([])
    expect(seen).toHaveLength(2)
    expect(printed([seen, span])).not.toContain(secret)
    expect(server.requests.map(({ headers }) => "traceparent" in headers)).toEqual([false, false, false, true])
  }),
)

it.effect(
  "the measured duration is in seconds, to the end of the response, with method, server, status and error",
  () =>
    Effect.gen(function* () {
      // A new host, because the metrics of a process are kept for all runs of a test.
      const host = `${crypto.randomUUID()}.example`
      const server = fake(() => Effect.delay(Effect.succeed(status(404)), 2_500))
      // At 0, a duration since the epoch would look right.
      yield* TestClock.adjust("1 hour")
      yield* traced(server, { ...once, baseUrl: `https://${host}`, timeout: "1 minute" })
      const metrics = (yield* Metric.snapshot).filter(({ attributes }) => attributes?.["server.address"] === host)
      const labels = {
        "service.peer.name": "thing",
        "vigil.operation": "Thing.get",
        "http.request.method": "GET",
        "server.port": "443",
        "http.response.status_code": "404",
      }
      const attributes = { ...labels, "error.type": "404", unit: "s" }
      const state = { count: 1, sum: 2.5, min: 2.5, max: 2.5 }
      expect(metrics).toMatchObject([{ id: "http.client.request.duration", attributes, state }])
    }),
)

it.effect.each([
  ["Thing.get", "end"],
  ["GET", "end"],
  ["GET", "attribute"],
] as const)("a tracer whose span %s throws (%s) makes the request die, and releases its permit", ([name, method]) =>
  Effect.gen(function* () {
    const state = { isBroken: true }
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        if (options.name === name && state.isBroken)
          span[method] = () => {
            throw new Error("broken span")
          }
        return span
      },
    })
    for (const respond of [ok, () => status(404)]) {
      state.isBroken = true
      const service = yield* clientOf(fake(respond), { ...once, concurrency: 1 })
      const { at, exit } = yield* drive(Effect.withTracer(get(service), tracer))
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
      expect(at).toBe(0)
      state.isBroken = false
      expect((yield* drive(Effect.result(get(service)))).exit).toMatchObject({ _tag: "Success" })
    }
  }),
)

it.effect("retries are counted by their cause, and the waits for a permit are measured", () =>
  Effect.gen(function* () {
    const service = crypto.randomUUID()
    const server = fake((n) => (n === 1 ? status(503, "2") : ok()))
    const client = yield* clientOf(server, { service, concurrency: 1 })
    yield* drive(Effect.all([get(client), get(client)], { concurrency: 2 }))
    const metrics = (yield* Metric.snapshot).filter(({ attributes }) => attributes?.["service.peer.name"] === service)
    const named = (id: string) => metrics.find((metric) => metric.id === id)
    expect(named("vigil.client.retries")).toMatchObject({ attributes: { "error.type": "503" }, state: { count: 1 } })
    expect(named("vigil.client.permit.wait")).toMatchObject({ state: { count: 2 } })
  }),
)
