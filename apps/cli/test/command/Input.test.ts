/** A prompt on a terminal, and the ways to end it. */
import { PassThrough } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Input from "../../src/command/Input.js"

/** Prompts, types these keys, and returns the exit and the text on the screen. */
const type = (keys: string | null) =>
  Effect.gen(function* () {
    const input = new PassThrough()
    const output = Object.assign(new PassThrough(), { isTTY: true })
    const fiber = yield* Effect.forkChild(Input.askOn(input, output)("Sure? "))
    yield* Effect.yieldNow
    if (keys === null) input.end()
    else input.write(keys)
    const exit = yield* Fiber.await(fiber)
    return { exit, screen: String(output.read()) }
  })

describe("a prompt on a terminal", () => {
  it.live("is interrupted by Ctrl-C, and ends its line", () =>
    Effect.gen(function* () {
      const { exit, screen } = yield* type("ye\u0003")
      expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
      expect(screen).toMatch(/\n$/)
    }),
  )

  it.live.each([
    ["yes\r", "yes"],
    ["\u0004", undefined],
    [null, undefined],
  ] as const)("returns the typed line, or undefined at the end of the input, and ends its line: %j", ([keys, answer]) =>
    Effect.gen(function* () {
      const { exit, screen } = yield* type(keys)
      expect(exit).toEqual(Exit.succeed(answer))
      expect(screen).toMatch(/\n$/)
    }),
  )

  it.live("asks again after an answer", () =>
    Effect.gen(function* () {
      const input = new PassThrough()
      const ask = Input.askOn(input, Object.assign(new PassThrough(), { isTTY: true }))
      const fiber = yield* Effect.forkChild(Effect.all([ask("One? "), ask("Two? ")]))
      yield* Effect.yieldNow
      input.write("1\r")
      // The second question is open before its answer is typed.
      yield* Effect.promise(() => setImmediate())
      input.write("2\r")
      expect(yield* Fiber.join(fiber)).toEqual(["1", "2"])
    }),
  )
})
