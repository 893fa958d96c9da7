/** Further requests of a list: laziness, retries and credential renewal. */
import { describe, expect, it } from "@effect/vitest"
import { RetryPolicy } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { run } from "./cases.js"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"

/** One iteration of the event loop. */
const tick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("a list", () => {
  it.scopedLive("without an end makes one request per page that is read", () =>
    Effect.gen(function* () {
      const { delivered, error, server } = yield* run("endless-links", (client) =>
        drain(Stream.take(client.listBySubscription(subscription), 200)),
      )
      expect(error).toBeUndefined()
      expect(namesOf(delivered)).toEqual(Array.from({ length: 200 }, (_, position) => `EVENT-${position}`))
      expect(yield* server.requests).toHaveLength(200)
    }),
  )

  it.scoped("waits for the time in Retry-After", () =>
    Effect.gen(function* () {
      const started = yield* Faults.start("retry-after-seconds")
      const { client } = yield* connect(started.server.origin, { retry: RetryPolicy.standard })
      // Without jitter.
      const listing = Effect.withRandom(drain(client.listBySubscription(subscription)), Random.fixed([0]))
      const fiber = yield* Effect.fork(guarded(started, listing))
      // The response arrives in real time; the wait is on the test clock.
      const waits = Effect.map(TestClock.sleeps(), (sleeps) => Chunk.contains(sleeps, 2_000))
      yield* Effect.repeat(Effect.zipRight(tick, waits), { until: (asleep) => asleep })
      yield* TestClock.adjust("1999 millis")
      yield* tick
      expect(yield* started.server.requests).toHaveLength(1)
      yield* TestClock.adjust("1 millis")
      const { delivered, error } = yield* Fiber.join(fiber)
      expect([...namesOf(delivered), tagOf(error)]).toEqual(["LAST", "end"])
    }),
  )

  it.scopedLive("fetches the credential again after a 401, and repeats the request for the page", () =>
    Effect.gen(function* () {
      for (const name of ["token-expires-mid-list", "token-refused-mid-list"] as const) {
        const started = yield* Faults.start(name)
        const { client, credentials } = yield* connect(started.server.origin)
        yield* guarded(started, drain(client.listBySubscription(subscription)))
        const [first, second, third] = yield* started.server.requests
        expect(second?.headers["authorization"]).toBe(first?.headers["authorization"])
        expect(third?.target).toBe(second?.target)
        expect(third?.headers["authorization"]).not.toBe(second?.headers["authorization"])
        expect(credentials.fetches).toBe(2)
      }
    }),
  )

  it.scopedLive("has the message of the service in its error, with the credential redacted", () =>
    Effect.gen(function* () {
      const { error } = yield* run("error-echo", (client) => drain(client.listBySubscription(subscription)))
      expect(error).toMatchObject({ _tag: "Unauthorized", message: expect.stringContaining("<redacted>") })
    }),
  )
})
