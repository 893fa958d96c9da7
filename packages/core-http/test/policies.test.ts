import { describe, expect, it } from "@effect/vitest"
import { Decoder, type Request, RetryPolicy } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import { type Answer, clientOf, drive, endless, fake, get, lost, ok, outcome, settle, status } from "./fake.js"

const passing = [408, 429, 500, 502, 503, 504] as const
const lasting = [400, 404, 411, 412, 418, 501, 505] as const

/** Draws that stay the same. */
const drawing = (...draws: readonly [number, ...ReadonlyArray<number>]) => Effect.withRandom(Random.fixed([...draws]))

/** Policies whose back-off takes no time, so that only what is under test does. */
const prompt = (options: RetryPolicy.Options = {}) => RetryPolicy.make({ baseDelay: 0, ...options })

/** When each request left. */
const times = ({ asked }: ReturnType<typeof fake>) => asked.map(({ at }) => at)

type Method = Request.Request<void>["method"]

const thing = {
  operation: "Thing.do",
  url: "https://service.example/thing",
  decode: Decoder.nothing,
}

const changes = (repeatable?: boolean): ReadonlyArray<Request.Request<void>> => [
  { ...thing, repeatable, method: "POST", body: {} },
  { ...thing, repeatable, method: "PUT", body: {} },
  { ...thing, repeatable, method: "PATCH", body: {} },
  { ...thing, repeatable, method: "DELETE" },
]

const methods: ReadonlyArray<Method> = ["POST", "PUT", "PATCH", "DELETE"]

describe("what is sent again", () => {
  it.scoped.each(passing)("a GET that is answered %i is sent again until its retries are used up", (code) =>
    Effect.gen(function* () {
      const server = fake(() => status(code))
      const service = yield* clientOf(server, { retry: prompt({ retries: 2 }) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ status: code })
      expect(server.asked).toHaveLength(3)
    }),
  )

  it.scoped.each(passing)("a GET that is answered %i once succeeds by its second attempt", (code) =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(code) : ok()))
      const service = yield* clientOf(server, { retry: prompt() })
      const { error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
      expect(server.asked).toHaveLength(2)
    }),
  )

  it.scoped("a GET whose connection fails is sent again until its retries are used up", () =>
    Effect.gen(function* () {
      const server = fake(() => lost)
      const service = yield* clientOf(server, { retry: prompt({ retries: 4 }) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TransportError", operation: "Thing.get" })
      expect(server.asked).toHaveLength(5)
    }),
  )

  it.scoped("a GET whose body breaks off is sent again", () =>
    Effect.gen(function* () {
      const broken = () =>
        new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) }))
      const server = fake((n) => (n === 1 ? broken() : ok()))
      const service = yield* clientOf(server, { retry: prompt() })
      const { error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
      expect(server.asked).toHaveLength(2)
    }),
  )

  it.scoped.each(lasting)("a GET that is answered %i is never sent again", (code) =>
    Effect.gen(function* () {
      const server = fake(() => status(code, "1"))
      const service = yield* clientOf(server, { retry: prompt() })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ status: code })
      expect(server.asked).toHaveLength(1)
      expect(at).toBe(0)
    }),
  )

  it.scoped("a success that cannot be read is never sent again", () =>
    Effect.gen(function* () {
      const server = fake(() => new Response("<html>"))
      const service = yield* clientOf(server, { retry: prompt() })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "DecodeError" })
      expect(server.asked).toHaveLength(1)
    }),
  )

  it.scoped("a policy without retries sends everything once", () =>
    Effect.gen(function* () {
      const server = fake(() => status(429, "0"))
      const service = yield* clientOf(server, { retry: RetryPolicy.none })
      yield* outcome(get(service))
      expect(server.asked).toHaveLength(1)
    }),
  )

  const failures: ReadonlyArray<readonly [string, () => Answer]> = [
    ["whose connection fails", () => lost],
    ...[408, 500, 502, 503, 504].map((code) => [`that is answered ${code}`, () => status(code)] as const),
  ]

  it.scoped.each(failures)("a change %s is sent once, as it may have happened", ([, answer]) =>
    Effect.gen(function* () {
      for (const request of changes()) {
        const server = fake(answer)
        const service = yield* clientOf(server, { retry: prompt() })
        yield* outcome(service.request(request))
        expect(server.asked.map(({ method }) => method)).toEqual([request.method])
      }
    }),
  )

  it.scoped.each(failures)("a change %s is sent again where it may be repeated, body and all", ([, answer]) =>
    Effect.gen(function* () {
      for (const request of changes(true)) {
        const server = fake((n) => (n === 1 ? answer() : ok()))
        const service = yield* clientOf(server, { retry: prompt() })
        const { error } = yield* outcome(service.request(request))
        expect(error?.message).toBeUndefined()
        expect(server.asked.map(({ method }) => method)).toEqual([request.method, request.method])
        expect(server.asked[1]?.body).toBe(server.asked[0]?.body)
        expect(server.asked[0]?.body).toBe(request.method === "DELETE" ? "" : "{}")
      }
    }),
  )

  it.scoped("a change that takes too long is sent once", () =>
    Effect.gen(function* () {
      for (const request of changes()) {
        const server = fake(() => Effect.never)
        const service = yield* clientOf(server, { retry: prompt(), timeout: "1 seconds" })
        const { error } = yield* outcome(service.request(request))
        expect(error).toMatchObject({ _tag: "TimeoutError", scope: "attempt" })
        expect(server.asked).toHaveLength(1)
      }
    }),
  )

  it.scoped.each(methods)("a %s that is answered 429 is sent again, as it did not happen", (method) =>
    Effect.gen(function* () {
      for (const request of changes().filter((change) => change.method === method)) {
        const server = fake((n) => (n === 1 ? status(429, "2") : ok()))
        const service = yield* clientOf(server, { retry: prompt() })
        const { error } = yield* outcome(service.request(request)).pipe(drawing(0))
        expect(error?.message).toBeUndefined()
        expect(times(server)).toEqual([0, 2_000])
      }
    }),
  )

  it.scoped("a GET that says it may not be repeated is sent once", () =>
    Effect.gen(function* () {
      const server = fake(() => status(503))
      const service = yield* clientOf(server, { retry: prompt() })
      yield* outcome(service.request({ ...thing, method: "GET", repeatable: false }))
      expect(server.asked).toHaveLength(1)
    }),
  )
})

describe("how long is waited", () => {
  const policy = { retries: 6, baseDelay: "200 millis", maxDelay: "1500 millis" } as const

  it.scoped.each([
    [0, [0, 0, 0, 0, 0, 0, 0]],
    [0.5, [0, 100, 300, 700, 1_450, 2_200, 2_950]],
    [1, [0, 200, 600, 1_400, 2_900, 4_400, 5_900]],
  ] as const)("a draw of %d is that part of a delay that doubles up to its maximum", ([draw, expected]) =>
    Effect.gen(function* () {
      const server = fake(() => status(503))
      const service = yield* clientOf(server, { retry: RetryPolicy.make(policy) })
      yield* outcome(get(service)).pipe(drawing(draw))
      expect(times(server)).toEqual(expected)
    }),
  )

  it.scoped("each wait has a draw of its own", () =>
    Effect.gen(function* () {
      const server = fake(() => lost)
      const service = yield* clientOf(server, { retry: RetryPolicy.make({ ...policy, retries: 3 }) })
      yield* outcome(get(service)).pipe(drawing(0.25, 1, 0.5))
      expect(times(server)).toEqual([0, 50, 450, 850])
    }),
  )

  it.scoped.each(["700 micros", "1.5 millis", "3 nanos"] as const)("a base delay of %s is waited too", (baseDelay) =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? lost : ok()))
      const service = yield* clientOf(server, { retry: RetryPolicy.make({ baseDelay }) })
      const { at, error } = yield* outcome(get(service)).pipe(drawing(0.5))
      expect(error?.message).toBeUndefined()
      expect(server.asked).toHaveLength(2)
      expect(at).toBeLessThan(1.5)
    }),
  )

  // The test's clock stands at 1970-01-01T00:00:00Z.
  it.scoped.each([
    ["3", 3_000],
    ["60", 60_000],
    ["Thu, 01 Jan 1970 00:00:30 GMT", 30_000],
    ["Thu, 01 Jan 1970 00:01:00 GMT", 60_000],
    ["Thursday, 01-Jan-70 00:00:30 GMT", 30_000],
    ["Thu Jan  1 00:00:30 1970", 30_000],
  ] as const)("Retry-After %j is waited for, no less and no more", ([header, wait]) =>
    Effect.gen(function* () {
      for (const code of [429, 503]) {
        yield* TestClock.setTime(0)
        const server = fake((n) => (n === 1 ? status(code, header) : ok()))
        const service = yield* clientOf(server, { retry: RetryPolicy.make({ maxRetryAfter: "1 minutes" }) })
        const { error } = yield* outcome(get(service)).pipe(drawing(0))
        expect(error?.message).toBeUndefined()
        expect(times(server)).toEqual([0, wait])
      }
    }),
  )

  it.scoped.each([
    [0.5, "20", 21_000],
    [1, "20", 22_000],
    [1, "58", 60_000],
    [1, "60", 60_000],
  ] as const)(
    "a draw of %d makes a Retry-After of %s seconds a wait of %d ms, so that clients do not return at once",
    ([draw, header, wait]) =>
      Effect.gen(function* () {
        const server = fake((n) => (n === 1 ? status(429, header) : ok()))
        const service = yield* clientOf(server, { retry: RetryPolicy.make({ maxRetryAfter: "1 minutes" }) })
        yield* outcome(get(service)).pipe(drawing(draw))
        expect(times(server)).toEqual([0, wait])
      }),
  )

  it.scoped("a Retry-After beneath the back-off does not shorten it", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(429, "1") : ok()))
      const service = yield* clientOf(server, { retry: RetryPolicy.make({ baseDelay: "4 seconds" }) })
      yield* outcome(get(service)).pipe(drawing(0.5))
      expect(times(server)).toEqual([0, 2_000])
    }),
  )

  it.scoped.each([
    ["61", 61_000],
    ["315360000", 315_360_000_000],
    ["Thu, 01 Jan 1970 00:01:01 GMT", 61_000],
    ["Tue, 01 Jan 1980 00:00:00 GMT", 315_532_800_000],
  ] as const)("Retry-After %j, which is too long, is an error at once that says so", ([header, wait]) =>
    Effect.gen(function* () {
      for (const code of [429, 503]) {
        const server = fake(() => status(code, header))
        const service = yield* clientOf(server, { retry: RetryPolicy.make({ maxRetryAfter: "1 minutes" }) })
        const { at, error } = yield* outcome(get(service))
        expect(error).toMatchObject({ status: code, retryAfter: Option.some(Duration.millis(wait)) })
        expect(server.asked).toHaveLength(1)
        expect(at).toBe(0)
      }
    }),
  )

  it.scoped.each([
    undefined,
    "",
    "abc",
    "-1",
    "-3600",
    "1.5e",
    "5 seconds",
    "NaN",
    "Infinity",
    "0x10",
    "1, 2",
    "Wed, 31 Dec 1969 23:59:59 GMT",
    "Thu, 32 Jan 1970 00:00:30 GMT",
    "hello 7",
    "7.5",
    "1e3",
    "01 Jan 1970 00:00:30 GMT",
    "not before Thu, 01 Jan 1970 00:00:30 GMT",
    "1970-01-01T00:00:30Z",
  ])("Retry-After %j, which asks for nothing, leaves the back-off", (header) =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(429, header) : ok()))
      const service = yield* clientOf(server, { retry: RetryPolicy.make({ baseDelay: "800 millis" }) })
      const { error } = yield* outcome(get(service)).pipe(drawing(0.5))
      expect(error?.message).toBeUndefined()
      expect(times(server)).toEqual([0, 400])
    }),
  )
})

describe("the retry budget", () => {
  const patient = (budget: number, retries = 3) => ({ retry: prompt({ retries, budget }), concurrency: 8 })

  it.scoped.each([
    ["every connection fails", () => lost],
    ["every answer is 503", () => status(503)],
    ["every answer is 429", () => status(429)],
  ] as const)("bounds the retries of all requests of a client in an outage in which %s", ([, answer]) =>
    Effect.gen(function* () {
      const server = fake(answer)
      const service = yield* clientOf(server, patient(7))
      yield* drive(
        Effect.all(
          Array.from({ length: 60 }, () => Effect.flip(get(service))),
          { concurrency: 60 },
        ),
      )
      expect(server.asked.length - 60).toBeLessThanOrEqual(7)
    }),
  )

  it.scoped("is used to its end", () =>
    Effect.gen(function* () {
      const server = fake(() => lost)
      const service = yield* clientOf(server, patient(7))
      yield* drive(
        Effect.all(
          Array.from({ length: 60 }, () => Effect.flip(get(service))),
          { concurrency: 60 },
        ),
      )
      expect(server.asked).toHaveLength(67)
    }),
  )

  it.scoped("is each client's own", () =>
    Effect.gen(function* () {
      const server = fake(() => lost)
      for (const service of [yield* clientOf(server, patient(1)), yield* clientOf(server, patient(1))])
        yield* drive(Effect.flip(get(service)))
      expect(server.asked).toHaveLength(4)
    }),
  )

  /** How often a request is sent after the budget of one retry was used up, and so many answers came. */
  const after = (answers: number) =>
    Effect.gen(function* () {
      const state = { up: false }
      const server = fake(() => (state.up ? ok() : lost))
      const service = yield* clientOf(server, patient(1, 1))
      yield* drive(Effect.flip(get(service)))
      expect(server.asked).toHaveLength(2)
      state.up = true
      yield* drive(Effect.replicateEffect(get(service), answers, { discard: true }))
      state.up = false
      const before = server.asked.length
      yield* drive(Effect.flip(get(service)))
      return server.asked.length - before
    })

  it.scoped("is given back a tenth of a retry by every answer", () =>
    Effect.gen(function* () {
      expect(yield* after(9)).toBe(1)
      expect(yield* after(10)).toBe(2)
    }),
  )

  it.scoped("does not grow beyond what it was", () =>
    Effect.gen(function* () {
      const state = { up: true }
      const server = fake(() => (state.up ? ok() : lost))
      const service = yield* clientOf(server, patient(2))
      yield* drive(Effect.replicateEffect(get(service), 100, { discard: true }))
      state.up = false
      yield* drive(Effect.replicateEffect(Effect.flip(get(service)), 5, { discard: true }))
      expect(server.asked).toHaveLength(100 + 5 + 2)
    }),
  )

  it.scoped("of nothing is no retry", () =>
    Effect.gen(function* () {
      const server = fake(() => status(429, "0"))
      const service = yield* clientOf(server, patient(0))
      yield* outcome(get(service))
      expect(server.asked).toHaveLength(1)
    }),
  )
})

describe("timeouts", () => {
  it.scoped("an attempt that takes too long is a TimeoutError of the attempt, and is made again", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.never)
      const service = yield* clientOf(server, { timeout: "3 seconds", retry: prompt({ retries: 2 }) })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TimeoutError", scope: "attempt", limit: Duration.seconds(3) })
      expect(times(server)).toEqual([0, 3_000, 6_000])
      expect(at).toBe(9_000)
      expect(server.asked.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
    }),
  )

  it.scoped("an attempt that takes as long as it may succeeds", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.delay(Effect.sync(ok), "2999 millis"))
      const service = yield* clientOf(server, { timeout: "3 seconds" })
      const { error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
    }),
  )

  it.scoped("a body that never ends is given up with the attempt", () =>
    Effect.gen(function* () {
      const bodies = [endless(), endless()]
      const server = fake((n) => bodies[n - 1]?.response() ?? ok())
      const service = yield* clientOf(server, { timeout: "3 seconds", retry: prompt({ retries: 1 }) })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TimeoutError", scope: "attempt" })
      expect(at).toBe(6_000)
      yield* settle
      const released = server.asked.map(({ signal }, n) => signal.aborted || bodies[n]?.given.up)
      expect(released).toEqual([true, true])
    }),
  )

  it.scoped("all attempts together are a TimeoutError of the total, and nothing is made again", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.never)
      const service = yield* clientOf(server, {
        timeout: "3 seconds",
        totalTimeout: "5 seconds",
        retry: prompt({ retries: 9 }),
      })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TimeoutError", scope: "total", limit: Duration.seconds(5) })
      expect(times(server)).toEqual([0, 3_000])
      expect(at).toBe(5_000)
      expect(server.asked.map(({ signal }) => signal.aborted)).toEqual([true, true])
    }),
  )

  it.scoped("a body that never ends is given up with the total", () =>
    Effect.gen(function* () {
      const body = endless()
      const server = fake(() => body.response())
      const service = yield* clientOf(server, { timeout: "10 seconds", totalTimeout: "5 seconds" })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "TimeoutError", scope: "total" })
      expect(at).toBe(5_000)
    }),
  )

  it.scoped.each([
    ["Retry-After", "6", 0],
    ["back-off", undefined, 6_000],
  ] as const)("a wait (%s) that would end after the total is not begun", ([, header, baseDelay]) =>
    Effect.gen(function* () {
      const server = fake(() => status(429, header))
      const service = yield* clientOf(server, { totalTimeout: "5 seconds", retry: RetryPolicy.make({ baseDelay }) })
      const { at, error } = yield* outcome(get(service)).pipe(drawing(1))
      expect(error).toMatchObject({ _tag: "RateLimited" })
      expect(server.asked).toHaveLength(1)
      expect(at).toBe(0)
    }),
  )

  it.scoped("a wait that ends within the total is waited for", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(429, "4") : ok()))
      const service = yield* clientOf(server, { totalTimeout: "5 seconds" })
      const { at, error } = yield* outcome(get(service)).pipe(drawing(0))
      expect(error?.message).toBeUndefined()
      expect(at).toBe(4_000)
    }),
  )

  it.scoped("time in line behind other requests does not count", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.delay(Effect.sync(ok), "3 seconds"))
      const service = yield* clientOf(server, { concurrency: 1, timeout: "4 seconds", totalTimeout: "5 seconds" })
      const all = Effect.all(
        Array.from({ length: 5 }, () => Effect.either(get(service))),
        { concurrency: "unbounded" },
      )
      const { at, exit } = yield* drive(all)
      expect((yield* exit).every(Either.isRight)).toBe(true)
      expect(at).toBe(15_000)
    }),
  )

  it.scoped("time in line for the rate limit does not count", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, {
        rateLimit: { requests: 1, per: "10 seconds" },
        timeout: "4 seconds",
        totalTimeout: "5 seconds",
      })
      const all = Effect.all(
        Array.from({ length: 4 }, () => Effect.either(get(service))),
        { concurrency: "unbounded" },
      )
      const { exit } = yield* drive(all)
      expect((yield* exit).every(Either.isRight)).toBe(true)
    }),
  )

  it.scoped("time that a retry spends in line for the rate limit does not count", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(503) : ok()))
      const service = yield* clientOf(server, {
        rateLimit: { requests: 1, per: "10 seconds" },
        retry: prompt(),
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
  it.scoped.each([1, 3, 16])("keeps at most %i requests under way, and completes all", (concurrency) =>
    Effect.gen(function* () {
      const server = fake((n) => Effect.delay(Effect.sync(ok), ((n * 7) % 5) * 100 + 100))
      const service = yield* clientOf(server, { concurrency })
      const all = Effect.all(
        Array.from({ length: 40 }, () => get(service)),
        { concurrency: "unbounded" },
      )
      const { exit } = yield* drive(all)
      yield* exit
      expect(server.asked).toHaveLength(40)
      expect(server.load.most).toBe(concurrency)
    }),
  )

  it.scoped("is 16 where none is set", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.delay(Effect.sync(ok), "1 seconds"))
      const service = yield* clientOf(server)
      yield* drive(
        Effect.all(
          Array.from({ length: 40 }, () => get(service)),
          { concurrency: "unbounded" },
        ),
      )
      expect(server.load.most).toBe(16)
    }),
  )

  it.scoped("counts a request as under way until its body has come", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? endless().response() : ok()))
      const service = yield* clientOf(server, { concurrency: 1, timeout: "2 seconds", retry: RetryPolicy.none })
      yield* drive(Effect.all([Effect.flip(get(service)), get(service)], { concurrency: "unbounded" }))
      expect(times(server)).toEqual([0, 2_000])
    }),
  )

  it.scoped("gets its place back from requests that fail, time out or are interrupted", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(404) : n < 4 ? Effect.never : ok()))
      const service = yield* clientOf(server, { concurrency: 1, timeout: "1 seconds", retry: RetryPolicy.none })
      yield* drive(Effect.flip(get(service)))
      yield* drive(Effect.flip(get(service)))
      const fiber = yield* Effect.fork(get(service))
      yield* settle
      const waiting = yield* Effect.fork(get(service))
      yield* settle
      expect(server.asked).toHaveLength(3)
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(fiber)
      const { exit } = yield* drive(get(service))
      yield* exit
      expect(server.asked).toHaveLength(4)
    }),
  )
})

describe("the rate limit", () => {
  const rateLimit = { requests: 3, per: "3 seconds" } as const

  it.scoped("lets so many leave at once, and others only as time passes", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, { rateLimit })
      const all = Effect.all(
        Array.from({ length: 8 }, () => get(service)),
        { concurrency: "unbounded" },
      )
      const { exit } = yield* drive(all)
      yield* exit
      const left = times(server)
      expect(left.slice(0, 3)).toEqual([0, 0, 0])
      left.slice(3).forEach((at, n) => expect(at).toBeGreaterThanOrEqual((n + 1) * 1_000))
      expect(left).toHaveLength(8)
      expect(left.at(-1)).toBeLessThanOrEqual(6_000)
    }),
  )

  it.scoped("saves up no more than that while nothing is asked", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, { rateLimit })
      yield* TestClock.adjust("1 hours")
      yield* drive(
        Effect.all(
          Array.from({ length: 5 }, () => get(service)),
          { concurrency: "unbounded" },
        ),
      )
      expect(times(server).filter((at) => at === 3_600_000)).toHaveLength(3)
    }),
  )

  it.scoped("holds retries too", () =>
    Effect.gen(function* () {
      const server = fake(() => status(503))
      const service = yield* clientOf(server, { rateLimit, retry: prompt({ retries: 4 }) })
      yield* outcome(get(service))
      const left = times(server)
      expect(left).toHaveLength(5)
      expect(left[3]).toBeGreaterThanOrEqual(1_000)
      expect(left[4]).toBeGreaterThanOrEqual(2_000)
    }),
  )

  it.scoped("is not used up by requests that are interrupted in line", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, { rateLimit: { requests: 1, per: "1 seconds" } })
      yield* drive(get(service))
      const waiting = yield* Effect.forEach(Array.from({ length: 30 }), () => Effect.fork(get(service)))
      yield* settle
      yield* Fiber.interruptAll(waiting)
      const { exit } = yield* drive(get(service))
      yield* exit
      expect(server.asked.at(-1)?.at).toBeLessThanOrEqual(2_000)
    }),
  )
})

describe("interruption", () => {
  it.scoped("aborts a request that is not answered", () =>
    Effect.gen(function* () {
      const server = fake(() => Effect.never)
      const service = yield* clientOf(server)
      const fiber = yield* Effect.fork(get(service))
      yield* settle
      expect(server.asked.map(({ signal }) => signal.aborted)).toEqual([false])
      yield* Fiber.interrupt(fiber)
      yield* settle
      expect(server.asked.map(({ signal }) => signal.aborted)).toEqual([true])
      expect(server.load.open).toBe(0)
    }),
  )

  it.scoped("gives up a body that is being read", () =>
    Effect.gen(function* () {
      const body = endless()
      const server = fake(() => body.response())
      const service = yield* clientOf(server)
      const fiber = yield* Effect.fork(get(service))
      yield* settle
      yield* Fiber.interrupt(fiber)
      yield* settle
      expect(server.asked[0]?.signal.aborted || body.given.up).toBe(true)
    }),
  )

  it.scoped("ends a wait between attempts, and nothing is sent after it", () =>
    Effect.gen(function* () {
      const server = fake(() => status(429, "30"))
      const service = yield* clientOf(server)
      const fiber = yield* Effect.fork(get(service))
      yield* settle
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("10 minutes")
      expect(server.asked).toHaveLength(1)
    }),
  )
})
