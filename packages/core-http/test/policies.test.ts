import { describe, expect, it } from "@effect/vitest"
import { Decoder, type Request, RetryPolicy } from "@vigil/core-http"
import * as random from "@vigil/testing/random"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { type FakeResponse, clientOf, drive, endless, fake, get, lost, ok, outcome, settle, status } from "./fake.js"

const transientStatuses = [408, 429, 500, 502, 503, 504] as const

/** Fixed random numbers. */
const withRandom = (...draws: readonly [number, ...ReadonlyArray<number>]) =>
  Effect.provideService(Random.Random, random.fixed([...draws]))

/** A policy without backoff. */
const withoutBackoff = (options: RetryPolicy.Options = {}) => RetryPolicy.make({ baseDelay: 0, ...options })

/** When each request was sent. */
const times = ({ requests }: ReturnType<typeof fake>) => requests.map(({ at }) => at)

const thing = {
  operation: "Thing.do",
  url: "https://service.example/thing",
  decode: Decoder.ignore,
}

const changes = (idempotent?: boolean): ReadonlyArray<Request.Request<void>> => [
  { ...thing, idempotent, method: "POST", body: {} },
  { ...thing, idempotent, method: "PUT", body: {} },
  { ...thing, idempotent, method: "PATCH", body: {} },
  { ...thing, idempotent, method: "DELETE" },
]

describe("with a retry policy", () => {
  it.effect.each(transientStatuses)("a GET with status %i is retried until its retries are used up", (code) =>
    Effect.gen(function* () {
      const server = fake(() => status(code))
      const service = yield* clientOf(server, { retry: withoutBackoff({ retries: 2 }) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ status: code })
      expect(server.requests).toHaveLength(3)
    }),
  )

  const failures: ReadonlyArray<readonly [string, () => FakeResponse]> = [
    ["whose connection fails", () => lost],
    ["that times out", () => Effect.never],
    ...[408, 500, 502, 503, 504].map((code) => [`with status ${code}`, () => status(code)] as const),
  ]

  it.effect.each(failures)("a change %s is not retried, because it may have succeeded", ([, respond]) =>
    Effect.gen(function* () {
      for (const request of changes()) {
        const server = fake(respond)
        const service = yield* clientOf(server, { retry: withoutBackoff(), timeout: "1 seconds" })
        yield* outcome(service.request(request))
        expect(server.requests.map(({ method }) => method)).toEqual([request.method])
      }
    }),
  )

  it.effect.each(failures)("an idempotent change %s is retried with its body", ([, respond]) =>
    Effect.gen(function* () {
      for (const request of changes(true)) {
        const server = fake((n) => (n === 1 ? respond() : ok()))
        const service = yield* clientOf(server, { retry: withoutBackoff(), timeout: "1 seconds" })
        const { error } = yield* outcome(service.request(request))
        expect(error?.message).toBeUndefined()
        expect(server.requests.map(({ method }) => method)).toEqual([request.method, request.method])
        expect(server.requests[1]?.body).toBe(server.requests[0]?.body)
        expect(server.requests[0]?.body).toBe(request.method === "DELETE" ? "" : "{}")
      }
    }),
  )

  it.effect("a change with status 429 is retried, because it was not processed", () =>
    Effect.gen(function* () {
      for (const request of changes()) {
        yield* TestClock.setTime(0)
        const server = fake((n) => (n === 1 ? status(429, "2") : ok()))
        const service = yield* clientOf(server, { retry: withoutBackoff() })
        const { error } = yield* outcome(service.request(request)).pipe(withRandom(0))
        expect(error?.message).toBeUndefined()
        expect(times(server)).toEqual([0, 2_000])
      }
    }),
  )

  it.effect("a GET that is not idempotent is not retried", () =>
    Effect.gen(function* () {
      const server = fake(() => status(503))
      const service = yield* clientOf(server, { retry: withoutBackoff() })
      yield* outcome(service.request({ ...thing, method: "GET", idempotent: false }))
      expect(server.requests).toHaveLength(1)
    }),
  )
})

describe("the wait before a retry", () => {
  const policy = { retries: 6, baseDelay: "200 millis", maxDelay: "1500 millis" } as const

  it.effect.each([
    [0, [0, 0, 0, 0, 0, 0, 0]],
    [0.5, [0, 100, 300, 700, 1_450, 2_200, 2_950]],
    [1, [0, 200, 600, 1_400, 2_900, 4_400, 5_900]],
  ] as const)("with random number %d is that fraction of a delay that doubles up to the maximum", ([draw, expected]) =>
    Effect.gen(function* () {
      const server = fake(() => status(503))
      const service = yield* clientOf(server, { retry: RetryPolicy.make(policy) })
      yield* outcome(get(service)).pipe(withRandom(draw))
      expect(times(server)).toEqual(expected)
    }),
  )

  // The test clock is at 1970-01-01T00:00:00Z.
  it.effect.each([
    ["3", 3_000],
    ["60", 60_000],
    ["Thu, 01 Jan 1970 00:00:30 GMT", 30_000],
    ["Thu, 01 Jan 1970 00:01:00 GMT", 60_000],
    ["Thursday, 01-Jan-70 00:00:30 GMT", 30_000],
    ["Thu Jan  1 00:00:30 1970", 30_000],
  ] as const)("is exactly Retry-After %j", ([header, wait]) =>
    Effect.gen(function* () {
      for (const code of [429, 503]) {
        yield* TestClock.setTime(0)
        const server = fake((n) => (n === 1 ? status(code, header) : ok()))
        const service = yield* clientOf(server, { retry: RetryPolicy.make({ maxRetryAfter: "1 minutes" }) })
        const { error } = yield* outcome(get(service)).pipe(withRandom(0))
        expect(error?.message).toBeUndefined()
        expect(times(server)).toEqual([0, wait])
      }
    }),
  )

  it.effect.each([
    [0.5, "20", 21_000],
    [1, "20", 22_000],
    [1, "58", 60_000],
    [1, "60", 60_000],
  ] as const)(
    "with random number %d and a Retry-After of %s seconds is %d ms, so that clients do not all retry at once",
    ([draw, header, wait]) =>
      Effect.gen(function* () {
        const server = fake((n) => (n === 1 ? status(429, header) : ok()))
        const service = yield* clientOf(server, { retry: RetryPolicy.make({ maxRetryAfter: "1 minutes" }) })
        yield* outcome(get(service)).pipe(withRandom(draw))
        expect(times(server)).toEqual([0, wait])
      }),
  )

  it.effect.each([
    ["61", 61_000],
    ["315360000", 315_360_000_000],
    ["Thu, 01 Jan 1970 00:01:01 GMT", 61_000],
    ["Tue, 01 Jan 1980 00:00:00 GMT", 315_532_800_000],
  ] as const)("is replaced by an error if Retry-After %j is too long", ([header, wait]) =>
    Effect.gen(function* () {
      for (const code of [429, 503]) {
        const server = fake(() => status(code, header))
        const service = yield* clientOf(server, { retry: RetryPolicy.make({ maxRetryAfter: "1 minutes" }) })
        const { at, error } = yield* outcome(get(service))
        expect(error).toMatchObject({ status: code, retryAfter: Option.some(Duration.millis(wait)) })
        expect(server.requests).toHaveLength(1)
        expect(at).toBe(0)
      }
    }),
  )

  it.effect.each([
    undefined,
    "",
    "abc",
    "-1",
    "5 seconds",
    "NaN",
    "0x10",
    "1, 2",
    "Wed, 31 Dec 1969 23:59:59 GMT",
    "Thu, 32 Jan 1970 00:00:30 GMT",
    "7.5",
    "1e3",
    "not before Thu, 01 Jan 1970 00:00:30 GMT",
    "1970-01-01T00:00:30Z",
  ])("is the backoff if Retry-After %j is invalid", (header) =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(429, header) : ok()))
      const service = yield* clientOf(server, { retry: RetryPolicy.make({ baseDelay: "800 millis" }) })
      const { error } = yield* outcome(get(service)).pipe(withRandom(0.5))
      expect(error?.message).toBeUndefined()
      expect(times(server)).toEqual([0, 400])
    }),
  )
})

describe("the retry budget", () => {
  const withBudget = (budget: number, retries = 3) => ({ retry: withoutBackoff({ retries, budget }), concurrency: 8 })

  it.effect("limits the retries of all requests of a client", () =>
    Effect.gen(function* () {
      for (const respond of [() => lost, () => status(503), () => status(429)]) {
        const server = fake(respond)
        const service = yield* clientOf(server, withBudget(7))
        yield* drive(Effect.replicateEffect(Effect.flip(get(service)), 60, { concurrency: "unbounded" }))
        expect(server.requests).toHaveLength(67)
      }
    }),
  )

  /** Uses up a budget of one retry, then receives some responses. Returns how often the next request is sent. */
  const countAttempts = (responses: number) =>
    Effect.gen(function* () {
      const state = { up: false }
      const server = fake(() => (state.up ? ok() : lost))
      const service = yield* clientOf(server, withBudget(1, 1))
      yield* drive(Effect.flip(get(service)))
      expect(server.requests).toHaveLength(2)
      state.up = true
      yield* drive(Effect.replicateEffect(get(service), responses, { discard: true }))
      state.up = false
      const before = server.requests.length
      yield* drive(Effect.flip(get(service)))
      return server.requests.length - before
    })

  it.effect("gains a tenth of a retry with every response", () =>
    Effect.gen(function* () {
      expect(yield* countAttempts(9)).toBe(1)
      expect(yield* countAttempts(10)).toBe(2)
    }),
  )

  it.effect("does not exceed its initial value", () =>
    Effect.gen(function* () {
      const state = { up: true }
      const server = fake(() => (state.up ? ok() : lost))
      const service = yield* clientOf(server, withBudget(2))
      yield* drive(Effect.replicateEffect(get(service), 100, { discard: true }))
      state.up = false
      yield* drive(Effect.replicateEffect(Effect.flip(get(service)), 5, { discard: true }))
      expect(server.requests).toHaveLength(100 + 5 + 2)
    }),
  )
})

describe("timeouts", () => {
  it.effect("fail an attempt that takes too long with a TimeoutError, and the attempt is retried", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.never)
      const service = yield* clientOf(server, { timeout: "3 seconds", retry: withoutBackoff({ retries: 2 }) })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TimeoutError", scope: "attempt", limit: Duration.seconds(3) })
      expect(times(server)).toEqual([0, 3_000, 6_000])
      expect(at).toBe(9_000)
      expect(server.requests.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
    }),
  )

  it.live("can be longer than the longest timer of Node", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.delay(Effect.sync(ok), "20 millis"))
      const service = yield* clientOf(server, { timeout: "30 days", totalTimeout: "60 days", retry: RetryPolicy.none })
      yield* get(service)
      expect(server.requests).toHaveLength(1)
    }),
  )

  it.live("leave no timer when an attempt ends", () =>
    Effect.gen(function* () {
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
      const service = yield* clientOf(fake(ok))
      const before = timers()
      yield* Effect.replicateEffect(get(service), 20)
      expect(timers()).toBeLessThan(before + 20)
    }),
  )

  it.effect("cancel a body that never ends together with its attempt", () =>
    Effect.gen(function* () {
      const bodies = [endless(), endless()]
      const server = fake((n) => bodies[n - 1]?.response() ?? ok())
      const service = yield* clientOf(server, { timeout: "3 seconds", retry: withoutBackoff({ retries: 1 }) })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TimeoutError", scope: "attempt" })
      expect(at).toBe(6_000)
      yield* settle
      const released = server.requests.map(({ signal }, n) => signal.aborted || bodies[n]?.state.isCancelled)
      expect(released).toEqual([true, true])
    }),
  )

  it.effect("fail all attempts together with a TimeoutError for the total, without a retry", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.never)
      const service = yield* clientOf(server, {
        timeout: "3 seconds",
        totalTimeout: "5 seconds",
        retry: withoutBackoff({ retries: 9 }),
      })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TimeoutError", scope: "total", limit: Duration.seconds(5) })
      expect(times(server)).toEqual([0, 3_000])
      expect(at).toBe(5_000)
      expect(server.requests.map(({ signal }) => signal.aborted)).toEqual([true, true])
    }),
  )

  it.effect.each([
    ["Retry-After", "6", 0],
    ["backoff", undefined, 6_000],
  ] as const)("fail at once if a wait (%s) would exceed the total timeout", ([, header, baseDelay]) =>
    Effect.gen(function* () {
      const server = fake(() => status(429, header))
      const service = yield* clientOf(server, { totalTimeout: "5 seconds", retry: RetryPolicy.make({ baseDelay }) })
      const { at, error } = yield* outcome(get(service)).pipe(withRandom(1))
      expect(error).toMatchObject({ _tag: "RateLimited" })
      expect(server.requests).toHaveLength(1)
      expect(at).toBe(0)
    }),
  )

  it.effect("do not include the wait for other requests", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.delay(Effect.sync(ok), "3 seconds"))
      const service = yield* clientOf(server, { concurrency: 1, timeout: "4 seconds", totalTimeout: "5 seconds" })
      const all = Effect.replicateEffect(Effect.result(get(service)), 5, { concurrency: "unbounded" })
      const { at, exit } = yield* drive(all)
      expect((yield* exit).every(Result.isSuccess)).toBe(true)
      expect(at).toBe(15_000)
    }),
  )

  it.effect("do not include a retry's wait for the rate limiter", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(503) : ok()))
      const service = yield* clientOf(server, {
        rateLimit: { requests: 1, per: "10 seconds" },
        retry: withoutBackoff(),
        timeout: "4 seconds",
        totalTimeout: "5 seconds",
      })
      const { error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
      expect(times(server)).toEqual([0, 10_000])
    }),
  )
})

describe("the concurrency limit", () => {
  it.effect("counts a request until its body is complete", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? endless().response() : ok()))
      const service = yield* clientOf(server, { concurrency: 1, timeout: "2 seconds", retry: RetryPolicy.none })
      yield* drive(Effect.all([Effect.flip(get(service)), get(service)], { concurrency: "unbounded" }))
      expect(times(server)).toEqual([0, 2_000])
    }),
  )
})

describe("the rate limit", () => {
  const rateLimit = { requests: 3, per: "3 seconds" } as const

  it.effect("sends 3 requests at once, also after a pause, and the others over time", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, { rateLimit })
      yield* TestClock.adjust("1 hours")
      yield* drive(Effect.replicateEffect(get(service), 5, { concurrency: "unbounded" }))
      expect(times(server)).toEqual([0, 0, 0, 1_000, 2_000].map((later) => 3_600_000 + later))
    }),
  )

  it.effect("applies to retries", () =>
    Effect.gen(function* () {
      const server = fake(() => status(503))
      const service = yield* clientOf(server, { rateLimit, retry: withoutBackoff({ retries: 4 }) })
      yield* outcome(get(service))
      const sent = times(server)
      expect(sent).toHaveLength(5)
      expect(sent[3]).toBeGreaterThanOrEqual(1_000)
      expect(sent[4]).toBeGreaterThanOrEqual(2_000)
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
      const { exit } = yield* drive(get(service))
      yield* exit
      expect(server.requests.at(-1)?.at).toBeLessThanOrEqual(2_000)
    }),
  )
})

describe("interruption", () => {
  it.effect("aborts the request, before and during its response", () =>
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
})
