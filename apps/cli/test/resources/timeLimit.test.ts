import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as TimeLimit from "../../src/lists/TimeLimit.js"

it.effect("lists that never end take a minute in all, and those between them do not count", () =>
  Effect.gen(function* () {
    const attempt = TimeLimit.make()
    const run = (lists: ReadonlyArray<Effect.Effect<void>>) => Effect.forEach(lists, attempt)
    const few = yield* Effect.forkChild(run([Effect.never, Effect.never, Effect.void]))
    yield* TestClock.adjust("40 seconds")
    expect((yield* Fiber.join(few)).map(Result.isSuccess)).toEqual([false, false, true])
    const many = yield* Effect.forkChild(run(Array.from({ length: 100 }, () => Effect.never)))
    yield* TestClock.adjust("60 seconds")
    expect(new Set((yield* Fiber.join(many)).map(Result.getFailure))).toHaveProperty("size", 100)
  }),
)
