/** When and how a list asks again: later, with another credential, and only while it is read. */
import { describe, expect, it } from "@effect/vitest"
import { RetryPolicy } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { reading } from "./cases.js"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"

/** A turn of the event loop. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("a list", () => {
  it.scopedLive("without end goes on for as long as it is read, a request a page", () =>
    Effect.gen(function* () {
      const { delivered, error, server } = yield* reading("endless-links", (client) =>
        drain(Stream.take(client.listBySubscription(subscription), 200)),
      )
      expect(error).toBeUndefined()
      expect(namesOf(delivered)).toEqual(Array.from({ length: 200 }, (_, position) => `EVENT-${position}`))
      expect(yield* server.requests).toHaveLength(200)
    }),
  )

  it.scoped("waits as long as it is asked to, and not less", () =>
    Effect.gen(function* () {
      const started = yield* Faults.start("retry-after-seconds")
      const { client } = yield* connect(started.server.origin, { retry: RetryPolicy.standard })
      // Without jitter.
      const reading = Effect.withRandom(drain(client.listBySubscription(subscription)), Random.fixed([0]))
      const fiber = yield* Effect.fork(guarded(started, reading))
      // The answer comes over a socket, at its own time; the wait that it asks for is in the test's.
      const waits = Effect.map(TestClock.sleeps(), (sleeps) => Chunk.contains(sleeps, 2_000))
      yield* Effect.repeat(Effect.zipRight(turn, waits), { until: (asleep) => asleep })
      yield* TestClock.adjust("1999 millis")
      yield* turn
      expect(yield* started.server.requests).toHaveLength(1)
      yield* TestClock.adjust("1 millis")
      const { delivered, error } = yield* Fiber.join(fiber)
      expect([...namesOf(delivered), tagOf(error)]).toEqual(["LAST", "end"])
    }),
  )

  it.scopedLive("asks for another credential once, and for the same page again", () =>
    Effect.gen(function* () {
      for (const name of ["token-expires-mid-list", "token-refused-mid-list"] as const) {
        const started = yield* Faults.start(name)
        const { asked, client } = yield* connect(started.server.origin)
        yield* guarded(started, drain(client.listBySubscription(subscription)))
        const [first, second, third] = yield* started.server.requests
        expect(second?.headers["authorization"]).toBe(first?.headers["authorization"])
        expect(third?.target).toBe(second?.target)
        expect(third?.headers["authorization"]).not.toBe(second?.headers["authorization"])
        expect(asked.times).toBe(2)
      }
    }),
  )

  it.scopedLive("says what the service said, without the credential that it repeats", () =>
    Effect.gen(function* () {
      const { error } = yield* reading("error-echo", (client) => drain(client.listBySubscription(subscription)))
      expect(error).toMatchObject({ _tag: "Unauthorized", message: expect.stringContaining("<redacted>") })
    }),
  )
})
