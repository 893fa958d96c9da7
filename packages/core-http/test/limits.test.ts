/** Timeouts, the rate limit, and many calls that wait. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, Retry } from "@vigil/core-http"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, drive, endless, fake, get, ok, outcome, settle, status, times } from "./fake.js"

const immediately = { retry: Retry.exponential(0, 3) }

it.effect("the timeout of an attempt covers the body, aborts the attempt, and is retried", () =>
  Effect.gen(function* () {
    const body = endless()
    const server = fake((n) => (n === 2 ? body.response() : Effect.never))
    const service = yield* clientOf(server, { timeout: "3 seconds", retry: Retry.exponential(0, 2) })
    const { at, error } = yield* outcome(get(service))
    const reason = { _tag: "Timeout", scope: "attempt", limit: Duration.seconds(3) }
    expect(error).toMatchObject({ maybeApplied: true, reason })
    expect([...times(server), at]).toEqual([0, 3_000, 6_000, 9_000])
    yield* settle
    const [first, second, third] = server.requests.map(({ signal }) => signal.aborted)
    expect([first, second || body.state.isCancelled, third]).toEqual([true, true, true])
  }),
)

describe("the total timeout", () => {
  const totalTimeout = "5 seconds"
  /** `wait`: no request was sent. */
  const timedOut = (scope: "total" | "wait", maybeApplied = scope === "total") => ({
    maybeApplied,
    reason: { _tag: "Timeout", scope, limit: Duration.seconds(5) },
  })

  it.effect("covers a request in flight, which may be applied, and the wait for its permit, which may not", () =>
    Effect.gen(function* () {
      // A connection that takes longer to close.
      const server = fake(() => Effect.uninterruptible(Effect.delay(Effect.sync(ok), "8 seconds")))
      const service = yield* clientOf(server, { concurrency: 1, totalTimeout })
      const first = yield* Effect.forkChild(Effect.flip(get(service)))
      yield* settle
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject(timedOut("wait"))
      expect([at, server.requests.length]).toEqual([5_000, 1])
      yield* TestClock.adjust("3 seconds")
      expect(yield* Fiber.join(first)).toMatchObject(timedOut("total"))
    }),
  )

  it.effect("ends each wait for a permit in its time, although only the first that waits has a timer", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.uninterruptible(Effect.delay(Effect.sync(ok), "20 seconds")))
      const service = yield* clientOf(server, { concurrency: 1, totalTimeout })
      const failAfter = (delay: number) =>
        Effect.andThen(Effect.delay(Effect.flip(get(service)), delay), Clock.currentTimeMillis)
      const calls = Effect.forEach([0, 1_000, 2_000, 2_000], failAfter, { concurrency: "unbounded" })
      expect(yield* (yield* drive(calls)).exit).toEqual([20_000, 6_000, 7_000, 7_000])
      expect(server.requests).toHaveLength(1)
    }),
  )

  it.effect.each([
    ["the rate limit", { rateLimit: { requests: 1, per: "1 minute" } }, 0],
    ["the permit and the credential together", { concurrency: 1 }, 3_000],
  ] as const)("covers the wait for %s", ([, options, delay]) =>
    Effect.gen(function* () {
      let fetches = 0
      const secret = Effect.suspend(() =>
        ++fetches === 1 ? Effect.succeed({ secret: Redacted.make("t"), lifetime: 0 }) : Effect.never,
      )
      const server = fake(() => Effect.delay(Effect.sync(ok), delay))
      const credential = Credential.bearer(secret)
      const service = yield* clientOf(server, { ...options, credential, totalTimeout })
      const both = Effect.all([Effect.result(get(service)), Effect.flip(get(service))], { concurrency: 2 })
      const { at, exit } = yield* drive(both)
      const [, error] = yield* exit
      expect(error).toMatchObject(timedOut("wait"))
      expect(error.message).toContain(
        "got no request, which waited for its turn, within 5s in total. Try again or allow more time.",
      )
      expect([at, server.requests.length]).toEqual([5_000, 1])
    }),
  )

  it.effect("covers the wait of a redirect for the rate limit", () =>
    Effect.gen(function* () {
      const server = fake(() => new Response(null, { status: 302, headers: { location: "/moved" } }))
      const service = yield* clientOf(server, { rateLimit: { requests: 1, per: "1 minute" }, totalTimeout })
      expect((yield* outcome(get(service))).error).toMatchObject(timedOut("total", false))
    }),
  )

  it.effect("covers the attempts and the waits between them, and reports the last error before it", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.delay(Effect.succeed(status(503)), "1 second"))
      const rateLimit = { requests: 1, per: "3 seconds" } as const
      const service = yield* clientOf(server, { ...immediately, rateLimit, totalTimeout })
      const { at, error, reason } = yield* outcome(get(service))
      expect(error).toMatchObject(timedOut("total"))
      expect(reason).toMatchObject({ previousError: expect.stringContaining("503") })
      expect(error?.message.split("Before that: ")).toHaveLength(2)
      expect([...times(server), at]).toEqual([0, 3_000, 5_000])
    }),
  )

  it.effect.each([
    ["Retry-After", "6"],
    ["schedule", undefined],
  ] as const)("fails a request at once if its wait (%s) would exceed it", ([, header]) =>
    Effect.gen(function* () {
      const server = fake(() => status(429, header))
      const retry = header === undefined ? Schedule.spaced("6 seconds") : immediately.retry
      const { at, reason } = yield* outcome(get(yield* clientOf(server, { totalTimeout, retry })))
      expect(reason).toMatchObject({ _tag: "RateLimited" })
      expect([server.requests.length, at]).toEqual([1, 0])
    }),
  )
})

describe("the rate limit", () => {
  const rateLimit = { requests: 3, per: "3 seconds" } as const

  it.effect("sends 3 requests at once, also after a pause, and the others when the first are 3 seconds old", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, { rateLimit })
      yield* TestClock.adjust("1 hours")
      yield* drive(Effect.replicateEffect(get(service), 5, { concurrency: "unbounded" }))
      expect(times(server)).toEqual([0, 0, 0, 3_000, 3_000].map((later) => 3_600_000 + later))
    }),
  )

  const moved = () => new Response(null, { status: 302, headers: { location: "/moved" } })

  it.effect("applies to retries and redirects", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? moved() : n < 5 ? status(503) : ok()))
      const service = yield* clientOf(server, { ...immediately, rateLimit })
      expect((yield* outcome(get(service))).error).toBeUndefined()
      expect(times(server)).toEqual([0, 0, 0, 3_000, 3_000])
    }),
  )

  it.effect("delays a redirect, which does not count as time of the attempt", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? moved() : ok()))
      const service = yield* clientOf(server, { timeout: "1 seconds", rateLimit: { requests: 1, per: "3 seconds" } })
      for (let call = 0; call < 2; call++) expect((yield* outcome(get(service))).error).toBeUndefined()
      expect(times(server)).toEqual([0, 3_000, 6_000])
    }),
  )

  it.effect("lets a redirect go before requests that have not begun", () =>
    Effect.gen(function* () {
      const server = fake((_, { url }) => (url.endsWith("/old") ? moved() : ok()))
      const service = yield* clientOf(server, { rateLimit: { requests: 1, per: "1 second" } })
      const paths = ["/old", "/a", "/old", "/a"]
      yield* drive(Effect.forEach(paths, (path) => get(service, path), { concurrency: "unbounded" }))
      const sent = server.requests.map(({ at, url }) => [at, url.replace("https://service.example", "")])
      expect(sent).toEqual([
        [0, "/old"],
        [1_000, "/moved"],
        [2_000, "/a"],
        [3_000, "/old"],
        [4_000, "/moved"],
        [5_000, "/a"],
      ])
    }),
  )

  it.effect("is not consumed by a redirect that is interrupted while it waits", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? moved() : ok()))
      const service = yield* clientOf(server, { rateLimit: { requests: 1, per: "1 minute" } })
      yield* drive(Effect.timeoutOption(get(service), "1 second"))
      yield* (yield* drive(get(service))).exit
      expect(times(server)).toEqual([0, 60_000])
    }),
  )

  it.effect("is not consumed by requests that are interrupted while they wait", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, { rateLimit: { requests: 1, per: "1 seconds" } })
      yield* drive(get(service))
      const waiting = yield* Effect.forEach(Array.from({ length: 30 }), () => Effect.forkChild(get(service)))
      yield* settle
      yield* Fiber.interruptAll(waiting)
      yield* (yield* drive(get(service))).exit
      expect(server.requests.at(-1)?.at).toBeLessThanOrEqual(2_000)
    }),
  )
})

it.effect("interruption aborts the request, before and during its response", () =>
  Effect.gen(function* () {
    const body = endless()
    for (const respond of [() => Effect.never, body.response]) {
      const server = fake(respond)
      const fiber = yield* Effect.forkChild(get(yield* clientOf(server)))
      yield* settle
      expect(server.requests.map(({ signal }) => signal.aborted)).toEqual([false])
      yield* Fiber.interrupt(fiber)
      yield* settle
      expect(server.requests[0]?.signal.aborted || body.state.isCancelled).toBe(true)
      expect(server.load.open).toBe(0)
    }
  }),
)

// Uses the real clock, because the test clock takes quadratic time for many sleepers. Detects algorithms that use quadratic memory.
it.live("500 calls that wait for the limits finish", () =>
  Effect.gen(function* () {
    const server = fake(() => Effect.as(Effect.yieldNow, ok()))
    const service = yield* clientOf(server, { rateLimit: { requests: 500, per: "1 seconds" } })
    yield* Effect.replicateEffect(get(service), 500, { concurrency: "unbounded", discard: true })
    expect(server.requests).toHaveLength(500)
    expect(server.load.most).toBe(16)
  }),
)
