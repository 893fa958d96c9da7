/** Many calls that wait for a client's limits. */
import { describe, expect, it } from "@effect/vitest"
import type { ServiceClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { clientOf, drive, fake, get, ok, settle } from "./fake.js"

/**
 * Runs concurrent calls. Returns the maximum number of concurrent requests. Uses the real clock, because the test clock takes quadratic
 * time for many sleepers.
 */
const finish = (calls: number, options: Partial<ServiceClient.Options> = {}) =>
  Effect.gen(function* () {
    const server = fake(() => Effect.as(Effect.yieldNow, ok()))
    const service = yield* clientOf(server, options)
    yield* Effect.replicateEffect(get(service), calls, { concurrency: "unbounded", discard: true })
    expect(server.requests).toHaveLength(calls)
    return server.load.most
  })

describe("calls that wait", () => {
  // Detects algorithms that use quadratic memory.
  it.live("for the concurrency limit finish, with 2,000 calls", () =>
    Effect.gen(function* () {
      expect(yield* finish(2_000)).toBe(16)
    }),
  )

  it.live("for the rate limit finish, with 2,000 calls", () =>
    finish(2_000, { concurrency: 2_000, rateLimit: { requests: 2_000, per: "1 seconds" } }),
  )

  it.effect("time out on time among 500 others, and release their permits", () =>
    Effect.gen(function* () {
      const state = { up: false }
      const server = fake(() => (state.up ? ok() : Effect.never))
      const service = yield* clientOf(server, { concurrency: 1, timeout: "10 minutes" })
      const first = yield* Effect.forkChild(get(service))
      yield* settle
      const within = <A, E, R>(calls: Effect.Effect<A, E, R>) =>
        Effect.flip(Effect.timeoutOrElse(calls, { duration: "1 seconds", orElse: () => Effect.fail("late" as const) }))
      const crowd = Effect.replicateEffect(get(service), 500, { concurrency: "unbounded", discard: true })
      const { at, exit } = yield* drive(Effect.all([within(crowd), within(get(service))], { concurrency: 2 }))
      expect(at).toBe(1_000)
      expect(yield* exit).toEqual(["late", "late"])
      expect(server.requests).toHaveLength(1)
      state.up = true
      yield* Fiber.interrupt(first)
      yield* get(service)
      expect(server.requests).toHaveLength(2)
    }),
  )
})
