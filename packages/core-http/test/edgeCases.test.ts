/** Interruptions, unusual clients and unusual services. */
import { HttpClient, HttpClientRequest } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, RetryPolicy, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, drive, failing, fake, get, interruptedAt, ok, outcome, settle, status } from "./fake.js"
import { layers } from "@vigil/testing/HttpStack"

describe("the fetch of a credential", () => {
  it.effect("is repeated by the next request if it is interrupted at any step", () =>
    Effect.gen(function* () {
      const hangingSteps: Array<number> = []
      for (let step = 1; step < 160; step++) {
        const credential = Credential.bearer(Effect.sync(() => Redacted.make("t")))
        const service = yield* clientOf(fake(ok), { credential })
        const first = yield* Effect.forkDetach(interruptedAt(step, get(service)))
        yield* settle
        const second = yield* Effect.forkChild(get(service))
        yield* settle
        if (second.pollUnsafe() === undefined) hangingSteps.push(step)
        yield* Effect.andThen(
          Effect.sync(() => first.interruptUnsafe()),
          Effect.sync(() => second.interruptUnsafe()),
        )
      }
      expect(hangingSteps).toEqual([])
    }),
  )

  it.effect("times out for all waiting requests if it cannot be interrupted", () =>
    Effect.gen(function* () {
      let fetches = 0
      const secret = Effect.suspend(() => (++fetches === 1 ? Effect.never : Effect.succeed(Redacted.make("t"))))
      const service = yield* clientOf(fake(ok), { credential: Credential.bearer(secret), timeout: "1 second" })
      const first = yield* Effect.forkDetach(Effect.uninterruptible(Effect.result(get(service))))
      yield* settle
      const second = yield* Effect.forkChild(Effect.result(get(service)))
      yield* settle
      yield* TestClock.adjust("1 second")
      const timedOut = { failure: { _tag: "CredentialError", reason: "timeout", operation: "Thing.get" } }
      expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toMatchObject([timedOut, timedOut])
      expect((yield* outcome(get(service))).error).toBeUndefined()
    }),
  )
})

describe("a wiped secret", () => {
  it.effect("fails with CredentialError, literal or fetched", () =>
    Effect.gen(function* () {
      const wiped = Redacted.make("t")
      Redacted.wipeUnsafe(wiped)
      for (const secret of [wiped, Effect.succeed(wiped)]) {
        const service = yield* clientOf(fake(ok), { credential: Credential.bearer(secret) })
        expect((yield* outcome(get(service))).error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
      }
    }),
  )
})

describe("the rate limit", () => {
  it.effect("applies after many requests waited for the credential", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const secret = Effect.delay(
        Effect.sync(() => Redacted.make("t")),
        "10 seconds",
      )
      const options = { credential: Credential.bearer(secret), rateLimit: { requests: 1, per: "1 second" } } as const
      const service = yield* clientOf(server, options)
      yield* drive(Effect.all([get(service), get(service), get(service)], { concurrency: 3 }))
      expect(server.requests.map(({ at }) => at)).toEqual([10_000, 11_000, 12_000])
    }),
  )

  it.effect("does not count towards the timeout of a redirected request", () =>
    Effect.gen(function* () {
      const server = fake((n) => {
        if (n === 1) return new Response(null, { status: 302, headers: { location: "/moved" } })
        return n === 2 ? status(503) : ok()
      })
      const service = yield* clientOf(server, {
        rateLimit: { requests: 1, per: "1 minute" },
        totalTimeout: "50 seconds",
      })
      expect((yield* outcome(get(service))).error).toBeUndefined()
      expect(server.requests.map(({ url }) => new URL(url).pathname)).toEqual(["/thing", "/moved", "/thing"])
    }),
  )
})

describe("a message of the service", () => {
  it.effect("is redacted if the request has a thousand secrets", () =>
    Effect.gen(function* () {
      const message = "reda ".repeat(10_000)
      const server = fake(() => new Response(JSON.stringify({ message }), { status: 400 }))
      const service = yield* clientOf(server)
      const secrets = [...Array.from({ length: 1_000 }, () => "reda"), "ted>"].map((text) => Redacted.make(text))
      const call = {
        operation: "Thing.get",
        method: "GET",
        url: service.url("/thing"),
        decode: Decoder.ignore,
      } as const
      const { error } = yield* outcome(service.request({ ...call, secrets }))
      expect(error?.message).toContain("400: <redacted> <redacted> ")
      expect(error?.message).not.toContain("reda ")
    }),
  )

  it.effect("is reported once if a timeout follows", () =>
    Effect.gen(function* () {
      const service = yield* clientOf(
        fake((n) => (n === 1 ? status(503) : Effect.never)),
        { timeout: "1 second" },
      )
      const { error } = yield* outcome(get(service))
      expect(error?.message.split("Before that: ")).toHaveLength(2)
    }),
  )
})

describe("a client", () => {
  it.effect("whose transformClient throws or reads bodies dies without a retry", () =>
    Effect.gen(function* () {
      const bug = new TypeError("bug")
      const transforms: ReadonlyArray<ServiceClient.Settings["transformClient"]> = [
        HttpClient.mapRequest(() => {
          throw bug
        }),
        HttpClient.tap((response) => Effect.ignore(response.text)),
      ]
      for (const transformClient of transforms) {
        const server = fake(ok)
        const { exit } = yield* drive(get(yield* clientOf(server, { transformClient })))
        expect(exit).toMatchObject({ cause: { reasons: [{ _tag: "Die" }] } })
        expect(server.requests.length).toBeLessThanOrEqual(1)
      }
    }),
  )

  it.effect("that rejects responses by their status code still fails with the tagged error", () =>
    Effect.gen(function* () {
      const server = fake(() => status(404))
      const service = yield* clientOf(server, { transformClient: HttpClient.filterStatusOk })
      expect((yield* outcome(get(service))).error).toMatchObject({ _tag: "NotFound", status: 404 })
      expect(server.requests).toHaveLength(1)
    }),
  )

  it.effect("whose error is its own cause fails with a TransportError", () =>
    Effect.gen(function* () {
      const cause: Error & { cause?: unknown } = new Error("circle")
      cause.cause = cause
      const service = yield* clientOf(failing(cause), { retry: RetryPolicy.none })
      expect((yield* outcome(get(service))).error).toMatchObject({ _tag: "TransportError", code: undefined })
    }),
  )

  it.live.each(layers)("over %s fails with a TransportError for an invalid header, without a retry", ([, layer]) =>
    Effect.gen(function* () {
      let sent = 0
      const server = yield* Faults.serve([Reply.json({ ok: true })])
      const service = yield* ServiceClient.make({
        service: "thing",
        baseUrl: server.origin,
        credential: Credential.none,
        retry: RetryPolicy.none,
        transformClient: HttpClient.mapRequest((request) => {
          sent += 1
          return HttpClientRequest.setHeader(request, "x-note", "a\nb")
        }),
      })
      const error = yield* Effect.flip(get(service))
      expect(error._tag).toBe("TransportError")
      expect(sent).toBe(1)
    }).pipe(Effect.provide(layer)),
  )
})
