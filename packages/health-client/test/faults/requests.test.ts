/** Further requests of a list: laziness, retries and credential renewal. */
import { describe, expect, it } from "@effect/vitest"
import { RetryPolicy } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as random from "@vigil/testing/random"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { run } from "./cases.js"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"

/** One iteration of the event loop. */
const tick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("a list", () => {
  it.live("without an end makes one request per page that is read", () =>
    Effect.gen(function* () {
      const { delivered, error, server } = yield* run("endless-links", (client) =>
        drain(Stream.take(client.listBySubscription(subscription), 200)),
      )
      expect(error).toBeUndefined()
      expect(namesOf(delivered)).toEqual(Array.from({ length: 200 }, (_, position) => `EVENT-${position}`))
      expect(yield* server.requests).toHaveLength(200)
    }),
  )

  it.effect("waits for the time in Retry-After", () =>
    Effect.gen(function* () {
      const started = yield* Faults.start("retry-after-seconds")
      const { client } = yield* connect(started.server.origin, { retry: RetryPolicy.standard })
      const waiting = Deferred.makeUnsafe<void>()
      const logger = Logger.make(({ message }) => {
        if (String(message).includes("Retrying in 2s")) Deferred.doneUnsafe(waiting, Effect.void)
      })
      const listing = drain(client.listBySubscription(subscription)).pipe(
        // Without jitter.
        Effect.provideService(Random.Random, random.fixed([0])),
        Effect.provide(Logger.layer([logger], { mergeWithExisting: true })),
      )
      const fiber = yield* Effect.forkChild(guarded(started, listing))
      // The response arrives in real time; the wait is on the test clock.
      yield* Deferred.await(waiting)
      yield* TestClock.adjust("1999 millis")
      yield* tick
      expect(yield* started.server.requests).toHaveLength(1)
      yield* TestClock.adjust("1 millis")
      const { delivered, error } = yield* Fiber.join(fiber)
      expect([...namesOf(delivered), tagOf(error)]).toEqual(["LAST", "end"])
    }),
  )

  it.live("fetches the credential again after a 401, and repeats the request for the page", () =>
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

  it.live("has the message of the service in its error, with the credential redacted", () =>
    Effect.gen(function* () {
      const { error } = yield* run("error-echo", (client) => drain(client.listBySubscription(subscription)))
      expect(error).toMatchObject({ _tag: "Unauthorized", message: expect.stringContaining("<redacted>") })
    }),
  )
})
