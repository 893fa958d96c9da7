/** When a client sends: within its rate limit, and not while the service asks it to wait. */
import { describe, expect, it } from "@effect/vitest"
import type { Headers } from "effect/http"
import { Credential, Retry, type ServiceClient } from "@vigil/core-http"
import * as property from "@vigil/testing/property"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as FastCheck from "fast-check"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, drive, fake, get, lost, ok, outcome, status, times } from "./fake.js"

const replies = {
  ok,
  redirect: () => new Response(null, { status: 302, headers: { location: "/x" } }),
  busy: () => status(503),
  paused: () => status(429, "2"),
  throttled: () => status(429, "3600"),
  unauthorized: () => status(401),
}

const call = FastCheck.record({
  at: FastCheck.integer({ min: 0, max: 9_000 }),
  reply: FastCheck.constantFrom("ok", "ok", "redirect", "busy", "paused", "throttled", "unauthorized"),
  patience: FastCheck.constantFrom(1, 500, 60_000),
  key: FastCheck.constantFrom(undefined, undefined, "a", "b"),
})

/** How long the n-th token is valid, and how long its fetch takes, in milliseconds. */
const token = FastCheck.record({
  lifetime: FastCheck.constantFrom(0, 100, 1_500, 60_000),
  fetch: FastCheck.constantFrom(0, 0, 200, 1_500),
  fails: FastCheck.integer({ min: 0, max: 9 }),
})

property.live(
  "the rate limit holds in any period, and tokens are valid when they are sent, with retries, pauses, redirects and cancelled requests",
  [
    FastCheck.integer({ min: 1, max: 4 }),
    FastCheck.integer({ min: 1, max: 4_000 }),
    FastCheck.array(call, { maxLength: 25 }),
    FastCheck.array(token, { minLength: 1, maxLength: 5 }),
  ],
  ([requests, per, calls, tokens]) =>
    Effect.gen(function* () {
      let fetches = 0
      const expiry = new Map<string, number>()
      const secret = Effect.gen(function* () {
        const n = fetches++
        const { fails, fetch, lifetime } = tokens[n % tokens.length] ?? { fails: 0, fetch: 0, lifetime: 0 }
        yield* Effect.sleep(fetch)
        if (fails === 0) return yield* Effect.fail("locked")
        expiry.set(`Bearer t${n}`, (yield* Clock.currentTimeMillis) + lifetime)
        return { secret: Redacted.make(`t${n}`), lifetime }
      })
      const server = fake((n) => Effect.delay(Effect.sync(replies[calls[n - 1]?.reply ?? "ok"]), (n * 37) % 300))
      const credential = Credential.bearer(secret)
      const service = yield* clientOf(server, { rateLimit: { requests, per }, credential, maxRetryAfter: "3 seconds" })
      const send = ({ at, key, patience }: (typeof calls)[number]) =>
        Effect.delay(Effect.timeoutOption(Effect.result(get(service, "/thing", key)), patience), at)
      yield* drive(Effect.forEach(calls, send, { concurrency: "unbounded" }))
      const sent = times(server)
      for (const [index, at] of sent.slice(requests).entries())
        expect(at - (sent[index] ?? 0)).toBeGreaterThanOrEqual(per)
      for (const { at, headers } of server.requests)
        expect(at).toBeLessThanOrEqual(expiry.get(headers["authorization"] ?? "") ?? -1)
    }).pipe(Effect.provide(TestClock.layer())),
  { fastCheck: { numRuns: 100 } },
)

describe("a response with Retry-After", () => {
  const atOnce = { retry: Retry.exponential(0, 3), retryBudget: 100 }
  /** Sends 40 requests to a service, and the time of each. */
  const sendMany = (respond: Parameters<typeof fake>[0]) =>
    Effect.gen(function* () {
      const server = fake((n, request) =>
        Effect.delay(
          Effect.suspend(() => Effect.succeed(respond(n, request) as Response)),
          100,
        ),
      )
      const service = yield* clientOf(server, { ...atOnce, concurrency: 2 })
      yield* drive(Effect.replicateEffect(Effect.result(get(service)), 40, { concurrency: "unbounded" }))
      return times(server)
    })

  it.effect.each([429, 503])("%i pauses all requests, then one goes first", (code) =>
    Effect.gen(function* () {
      const [first, second, probe, ...others] = yield* sendMany((n) => (n <= 2 ? status(code, "30") : ok()))
      expect([first, second]).toEqual([0, 0])
      expect(probe).toBeGreaterThanOrEqual(30_100)
      expect(probe).toBeLessThanOrEqual(33_100)
      expect(Math.min(...others)).toBe((probe ?? 0) + 100)
    }),
  )

  it.effect("pauses again if the first request gets it as well", () =>
    Effect.gen(function* () {
      const sent = yield* sendMany((n) => (n <= 4 ? status(429, "30") : ok()))
      const [, , probe = 0, second = 0, third = 0, fourth = 0] = sent
      expect([probe, second, third].map((at) => Math.floor(at / 30_000))).toEqual([1, 2, 3])
      expect(fourth).toBe(third + 100)
    }),
  )

  it.effect("holds the others for 2 seconds if the first request hangs, then the next one goes first", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(429, "30") : n < 4 ? Effect.never : ok()))
      const service = yield* clientOf(server, { ...atOnce, timeout: "20 seconds" })
      yield* drive(Effect.replicateEffect(Effect.result(get(service)), 4, { concurrency: "unbounded" }))
      const [, first = 0, ...others] = times(server)
      expect(others.slice(0, 3)).toEqual([first + 2_000, first + 4_000, first + 4_000])
    }),
  )

  it.effect("is obeyed although the first request after an earlier one ends well in the meantime", () =>
    Effect.gen(function* () {
      const late = Effect.delay(Effect.sync(ok), "6 seconds")
      const server = fake((n) => (n === 2 ? late : n < 4 ? status(429, "10") : Effect.delay(Effect.sync(ok), 1_000)))
      const service = yield* clientOf(server, { ...atOnce, retry: Retry.none })
      yield* drive(Effect.result(get(service)))
      yield* drive(Effect.replicateEffect(Effect.result(get(service)), 5, { concurrency: "unbounded" }))
      const [, first = 0, second = 0, third = 0, ...others] = times(server)
      expect(second).toBe(first + 2_000)
      expect(third).toBeGreaterThanOrEqual(second + 10_000)
      expect(others).toEqual([third + 1_000, third + 1_000])
    }),
  )

  it.effect("lets one request go first, also if an earlier first one is cancelled in the meantime", () =>
    Effect.gen(function* () {
      const slow = Effect.delay(Effect.sync(ok), 1_500)
      const server = fake((n) => (n === 1 ? status(429, "10") : n === 2 ? Effect.never : slow))
      const service = yield* clientOf(server, { retry: Retry.none, maxRetryAfter: "10 seconds" })
      yield* drive(Effect.result(get(service)))
      const cancelled = Effect.timeoutOption(get(service), "13 seconds")
      yield* drive(Effect.all([cancelled, get(service), get(service), get(service)], { concurrency: "unbounded" }))
      expect(times(server)).toEqual([0, 10_000, 12_000, 13_500, 13_500])
    }),
  )

  describe("over maxRetryAfter", () => {
    /** Sends one request after the other for each path. The service throttles the paths for an hour. Returns the paths of failed requests. */
    const sweep = (paths: ReadonlyArray<string>, throttled: ReadonlyArray<string>, concurrency = 4) =>
      Effect.gen(function* () {
        const server = fake((_, { url }) =>
          Effect.delay(
            Effect.sync(() => (throttled.some((path) => url.endsWith(path)) ? status(429, "3600") : ok())),
            100,
          ),
        )
        const service = yield* clientOf(server, { ...atOnce, concurrency })
        const send = (path: string) => Effect.result(get(service, path))
        const { exit } = yield* drive(Effect.forEach(paths, send, { concurrency: "unbounded" }))
        const results = yield* exit
        return { server, service, results, failed: paths.filter((_, index) => results[index]?._tag === "Failure") }
      })

    const paths = Array.from({ length: 40 }, (_, index) => `/s${index}/`)

    it.effect.each([
      ["1 of 40", [7]],
      ["10 of 40", [7, 8, 9, 10, 11, 12, 13, 14, 15, 16]],
    ] as const)("fails only the requests that get it: %s", ([, indices]) =>
      Effect.gen(function* () {
        const throttled = indices.map((index) => `/s${index}/`)
        const { failed, server } = yield* sweep(paths, throttled)
        expect(failed).toEqual(throttled)
        expect([server.requests.length, Math.max(...times(server))]).toEqual([40, 900])
      }),
    )

    it.effect("of 16 responses in a row fails the others unsent for maxRetryAfter, then one goes first", () =>
      Effect.gen(function* () {
        const many = Array.from({ length: 200 }, () => "/s/")
        const { failed, results, server, service } = yield* sweep(many, ["/s/"], 2)
        // The 17th was sent before the 16th response.
        expect([server.requests.length, failed.length]).toEqual([17, 200])
        // The first requests after the minute are sent.
        const reason = { _tag: "RateLimited", retryAfter: Duration.minutes(1) }
        expect(results.at(-1)).toMatchObject({ failure: { reason, maybeApplied: false } })
        expect((yield* outcome(get(service))).error?.message).toContain("not sent")
        yield* TestClock.adjust("1 minute")
        yield* drive(Effect.replicateEffect(Effect.result(get(service, "/other/")), 3, { concurrency: "unbounded" }))
        expect(times(server).slice(17)).toEqual([60_900, 61_000, 61_000])
      }),
    )

    it.effect("of 16 responses in a row refuses nothing after another response to an earlier request", () =>
      Effect.gen(function* () {
        const server = fake((_, { url }) =>
          url.endsWith("/slow")
            ? Effect.delay(Effect.sync(ok), 500)
            : Effect.delay(
                Effect.sync(() => status(429, "3600")),
                100,
              ),
        )
        const service = yield* clientOf(server, { concurrency: "unbounded" })
        const paths = ["/slow", ...Array.from({ length: 16 }, () => "/s/")]
        yield* drive(Effect.forEach(paths, (path) => Effect.result(get(service, path)), { concurrency: "unbounded" }))
        const { at, error } = yield* outcome(get(service, "/slow"))
        expect([error, at, times(server).at(-1)]).toEqual([undefined, 1_000, 500])
      }),
    )

    it.effect.each([
      ["lost connections", lost],
      ["timeouts", Effect.never],
    ] as const)("is counted in a row despite %s", ([, unanswered]) =>
      Effect.gen(function* () {
        const server = fake((n) => (n % 10 === 0 ? unanswered : status(429, "3600")))
        const service = yield* clientOf(server, { concurrency: 1, retry: Retry.none, timeout: "1 second" })
        yield* drive(Effect.replicateEffect(Effect.result(get(service)), 40))
        expect(server.requests).toHaveLength(17)
      }),
    )

    it.effect("of 15 responses and another one refuses nothing", () =>
      Effect.gen(function* () {
        const order = [
          ...Array.from({ length: 15 }, () => "/s/"),
          "/other/",
          ...Array.from({ length: 15 }, () => "/s/"),
        ]
        const { server } = yield* sweep([...order, "/other/"], ["/s/"], 1)
        expect(server.requests).toHaveLength(32)
      }),
    )
  })
})

describe("a refusal with a key", () => {
  const never = { retry: Retry.none, concurrency: 2 }
  /** Refuses the paths with this text. */
  const refusing = (text: string, retryAfter: string, code = 429) =>
    fake((_, { url }) =>
      Effect.delay(
        Effect.sync(() => (url.includes(text) ? status(code, retryAfter) : ok())),
        100,
      ),
    )
  const pathsOf = (server: ReturnType<typeof fake>) => server.requests.map(({ url }) => new URL(url).pathname)
  /** Sends requests for the paths, whose keys they are, and returns the tags of their errors. */
  const sendAll = (
    service: ServiceClient.Service,
    paths: ReadonlyArray<string>,
    concurrency: number | "unbounded" = 1,
  ) =>
    Effect.gen(function* () {
      const send = (path: string) => Effect.result(get(service, path, path))
      const { at, exit } = yield* drive(Effect.forEach(paths, send, { concurrency }))
      return { at, tags: (yield* exit).map((result) => (result._tag === "Failure" ? result.failure.reason._tag : "")) }
    })
  const repeat = (path: string, count: number) => Array.from({ length: count }, () => path)
  const keys = Array.from({ length: 20 }, (_, index) => `/refused/${index}`)

  it.effect.each([429, 503])("pauses the requests with that key, which wait without a permit: %d", (code) =>
    Effect.gen(function* () {
      const server = fake((n, { url }) => (url.endsWith("/a") && n === 1 ? status(code, "30") : ok()))
      const service = yield* clientOf(server, never)
      yield* sendAll(service, ["/a"])
      const { tags } = yield* sendAll(service, [...repeat("/a", 5), ...repeat("/b", 5)], "unbounded")
      expect(tags).toEqual(repeat("", 10))
      expect(pathsOf(server)).toEqual(["/a", ...repeat("/b", 5), ...repeat("/a", 5)])
      expect(times(server)[5]).toBe(0)
      expect(times(server)[6]).toBeGreaterThanOrEqual(30_000)
    }),
  )

  it.effect("lets one request with that key go first", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(429, "30") : Effect.delay(Effect.sync(ok), 100)))
      const service = yield* clientOf(server, { retry: Retry.none })
      yield* sendAll(service, ["/a"])
      yield* sendAll(service, repeat("/a", 4), "unbounded")
      const [, first = 0, ...others] = times(server)
      expect(first).toBeGreaterThanOrEqual(30_000)
      expect(others).toEqual([first + 100, first + 100, first + 100])
    }),
  )

  it.effect("lets the next one go first if the first is cancelled before it was sent", () =>
    Effect.gen(function* () {
      const server = fake((n) => (n === 1 ? status(429, "10") : ok()))
      const service = yield* clientOf(server, { retry: Retry.none, maxRetryAfter: "10 seconds" })
      yield* sendAll(service, ["/a"])
      const cancelled = Effect.timeoutOption(get(service, "/a", "/a"), "9 seconds")
      yield* drive(Effect.all([cancelled, get(service, "/a", "/a")], { concurrency: "unbounded" }))
      expect(times(server)).toEqual([0, 10_000])
    }),
  )

  it.effect("over maxRetryAfter fails the others with that key unsent after 3 in a row, then one goes first", () =>
    Effect.gen(function* () {
      const server = refusing("/a", "3600")
      const service = yield* clientOf(server, never)
      const { tags } = yield* sendAll(service, [...repeat("/a", 10), ...repeat("/b", 10), ...repeat("/a", 10)])
      expect(tags).toEqual([...repeat("RateLimited", 10), ...repeat("", 10), ...repeat("RateLimited", 10)])
      expect(pathsOf(server)).toEqual([...repeat("/a", 3), ...repeat("/b", 10)])
      yield* TestClock.adjust("1 minute")
      yield* sendAll(service, repeat("/a", 4), "unbounded")
      expect(server.requests).toHaveLength(14)
    }),
  )

  it.effect("of 16 keys in a row stops all requests, then one goes first", () =>
    Effect.gen(function* () {
      const server = refusing("/refused", "3600")
      const service = yield* clientOf(server, never)
      const { at, tags } = yield* sendAll(service, [...keys, "/b", "/b"])
      expect(tags).toEqual([...repeat("RateLimited", 20), ...repeat("RateLimited", 2)])
      expect([server.requests.length, (yield* outcome(get(service))).error?.retryAfter]).toEqual([
        16,
        Duration.minutes(1),
      ])
      yield* TestClock.adjust("1 minute")
      yield* sendAll(service, ["/b", "/b", "/b"], "unbounded")
      expect(times(server).slice(16)).toEqual([at + 60_000, at + 60_100, at + 60_100])
    }),
  )

  it.effect("of 15 keys, however often, stops no other", () =>
    Effect.gen(function* () {
      const server = refusing("/refused", "3600")
      const service = yield* clientOf(server, never)
      const some = keys.slice(0, 15)
      const { tags } = yield* sendAll(service, [...some, ...some, ...some, "/b"])
      expect([tags.at(-1), server.requests.length]).toEqual(["", 46])
    }),
  )

  it.effect("stops all requests if its headers say so", () =>
    Effect.gen(function* () {
      const all = { headers: { "retry-after": "30", "remaining-of-all": "0" }, status: 429 }
      const server = fake((n) => (n === 1 ? new Response(null, all) : ok()))
      const refusesAll = (headers: Headers.Headers) => headers["remaining-of-all"] === "0"
      const service = yield* clientOf(server, { ...never, refusesAll })
      yield* sendAll(service, ["/a", "/b"])
      expect(times(server)[1]).toBeGreaterThanOrEqual(30_000)
    }),
  )
})
