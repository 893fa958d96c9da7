/** When a client sends: within its rate limit, and not while the service asks it to wait. */
import { describe, expect, it } from "@effect/vitest"
import { Retry } from "@vigil/core-http"
import * as property from "@vigil/testing/property"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, drive, fake, get, ok, status, times } from "./fake.js"

const replies = {
  ok,
  redirect: () => new Response(null, { status: 302, headers: { location: "/x" } }),
  busy: () => status(503),
}

const call = FastCheck.record({
  at: FastCheck.integer({ min: 0, max: 9_000 }),
  reply: FastCheck.constantFrom("ok", "ok", "redirect", "busy"),
  patience: FastCheck.constantFrom(1, 500, 60_000),
})

property.live(
  "the rate limit holds in any period, with retries, redirects and cancelled requests",
  [
    FastCheck.integer({ min: 1, max: 4 }),
    FastCheck.integer({ min: 1, max: 4_000 }),
    FastCheck.array(call, { maxLength: 25 }),
  ],
  ([requests, per, calls]) =>
    Effect.gen(function* () {
      const server = fake((n) => Effect.delay(Effect.sync(replies[calls[n - 1]?.reply ?? "ok"]), (n * 37) % 300))
      const service = yield* clientOf(server, { rateLimit: { requests, per } })
      const send = ({ at, patience }: (typeof calls)[number]) =>
        Effect.delay(Effect.timeoutOption(Effect.result(get(service)), patience), at)
      yield* drive(Effect.forEach(calls, send, { concurrency: "unbounded" }))
      const sent = times(server)
      for (const [index, at] of sent.slice(requests).entries())
        expect(at - (sent[index] ?? 0)).toBeGreaterThanOrEqual(per)
    }).pipe(Effect.provide(TestClock.layer())),
  { fastCheck: { numRuns: 60 } },
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

  it.effect("over maxRetryAfter pauses no other request", () =>
    Effect.gen(function* () {
      const sent = yield* sendMany((n) => (n === 1 ? status(429, "3600") : ok()))
      expect([sent.length, Math.max(...sent)]).toEqual([40, 1_900])
    }),
  )
})
