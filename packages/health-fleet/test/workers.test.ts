/** Workers that share the table of what runs. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { work } from "../src/internal/workers.js"

it.effect("a worker continues while another one, whose pieces hang, is full", () =>
  Effect.gen(function* () {
    const running = new Map<string, string>()
    let count = 0
    const start = (name: string, run: Effect.Effect<void>) =>
      Effect.forkChild(
        work({
          pieces: "notifications",
          concurrency: 2,
          running,
          claim: (limit) =>
            Effect.sync(() => Array.from({ length: limit }, () => ({ key: `${name} ${count++}`, token: name }))),
          keyOf: ({ key }) => key,
          run: () => run,
        }),
      )
    const hanging = yield* start("hangs", Effect.never)
    yield* TestClock.adjust("1 second")
    expect([...running.values()]).toEqual(["hangs", "hangs"])
    let done = 0
    const piece = Effect.sync(() => void done++)
    const working = yield* start("works", Effect.delay(piece, "1 second"))
    yield* TestClock.adjust("10 seconds")
    expect(done).toBeGreaterThan(10)
    expect([...running.values()].filter((name) => name === "hangs")).toHaveLength(2)
    // A worker that ends waits for what runs, for at most 10 seconds.
    const ending = yield* Effect.forkChild(Fiber.interruptAll([hanging, working]))
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(ending)
  }),
)

const broken = Logger.make(() => {
  throw new TypeError("a defect of a logger")
})

it.effect("a worker goes on after a defect in a claim, in a piece, and in a logger", () =>
  Effect.gen(function* () {
    let [claims, pieces] = [0, 0]
    const worker = yield* Effect.forkChild(
      work({
        pieces: "polls",
        concurrency: 1,
        running: new Map(),
        claim: () =>
          Effect.sync(() => {
            claims += 1
            if (claims === 1) throw new TypeError("a defect")
            return [{ key: "a", token: "a" }]
          }),
        keyOf: ({ key }) => key,
        run: () => Effect.suspend(() => (pieces++ === 0 ? Effect.die("a defect") : Effect.sleep("1 second"))),
      }),
    )
    yield* TestClock.adjust("10 seconds")
    expect(pieces).toBeGreaterThan(2)
    const ending = yield* Effect.forkChild(Fiber.interrupt(worker))
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(ending)
  }).pipe(Effect.provide(Logger.layer([broken]))),
)
