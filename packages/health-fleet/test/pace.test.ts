/** The rate limit of a fleet. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { pace } from "../src/internal/pace.js"

describe("the turns of a runner", () => {
  it.effect("are spaced evenly, by its share of the limit", () =>
    Effect.gen(function* () {
      let runners = 2
      const { run: paced } = pace({ requests: 10, per: "1 second" }, () => runners)
      const turn = paced(Clock.currentTimeMillis)
      const taking = yield* Effect.forkChild(Effect.all([turn, turn, turn, turn], { concurrency: "unbounded" }))
      yield* TestClock.adjust("400 millis")
      runners = 1
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(taking)).toEqual([0, 200, 400, 600])
      expect([yield* turn, yield* Effect.andThen(TestClock.adjust("1 second"), turn)]).toEqual([1_400, 2_400])
    }),
  )

  it.effect("come on time after the system clock steps back", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let step = 0
      const now = () => clock.currentTimeMillisUnsafe() + step
      const stepping: Clock.Clock = {
        ...clock,
        currentTimeMillisUnsafe: now,
        currentTimeMillis: Effect.sync(now),
      }
      let taken = 0
      const turn = pace({ requests: 1, per: "1 second" }, () => 1).run(Effect.sync(() => void taken++))
      yield* Effect.forkChild(Effect.provideService(Effect.forever(turn), Clock.Clock, stepping))
      yield* TestClock.adjust("2 minutes")
      step = -60_000
      const before = taken
      yield* TestClock.adjust("10 seconds")
      expect(taken - before).toBe(10)
    }),
  )

  it.effect("are not taken by claims without a result, and waits that end early", () =>
    Effect.gen(function* () {
      const { run: paced } = pace({ requests: 1, per: "1 second" }, () => 1)
      let taken = 0
      const turn = paced(Effect.sync(() => void taken++))
      const waiter = Effect.forever(Effect.timeoutOption(turn, "2 seconds"))
      yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 10 }, () => waiter),
          { concurrency: "unbounded" },
        ),
      )
      const claim = Effect.andThen(
        paced(Effect.succeed([]), ({ length }) => length),
        Effect.sleep("500 millis"),
      )
      yield* Effect.forkChild(Effect.forever(claim))
      yield* TestClock.adjust("1 minute")
      expect(taken).toBeGreaterThan(50)
    }),
  )
})
