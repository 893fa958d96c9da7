/** A setup file of vitest, run before each test file. */
import { setImmediate } from "node:timers/promises"
import * as FastCheck from "effect/FastCheck"
import { afterAll, afterEach, effect, it, live, scoped, scopedLive, vi } from "@effect/vitest"

// `layer` of @effect/vitest 0.30 replaces these methods of `it`, which the test files of a worker share.
Object.assign(it, { effect, live, scoped, scopedLive })

// How often each property runs. vitest gives up on a worker that is busy for a minute.
FastCheck.configureGlobal({ numRuns: Number(process.env["PROPERTY_RUNS"] ?? 300), interruptAfterTimeLimit: 30_000 })

// Yields to the event loop, so that a worker with only synchronous tests responds to vitest.
afterEach(() => setImmediate())

// The test files of a worker share the environment.
afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
