import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Flag from "../../src/flags/Flag.js"

describe("a whole number", () => {
  const limit = Flag.integer("n", 1, 10)

  it.effect.each([
    ["1", 1],
    ["10", 10],
    [" 7 ", 7],
  ] as const)("is read from %j", ([text, number]) =>
    Effect.gen(function* () {
      expect(yield* limit.parse(text, "--limit")).toBe(number)
    }),
  )

  it.effect.each([["0"], ["11"], ["1.5"], [""], [" "], ["ten"], ["Infinity"], ["NaN"]] as const)(
    "is not read from %j",
    ([text]) =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(limit.parse(text, "--limit"))
        expect(message).toMatch(/^--limit .* 1 to 10/)
      }),
  )

  it.effect("without limits may be negative, but not unsafe", () =>
    Effect.gen(function* () {
      expect(yield* Flag.integer("n").parse("-3", "--seed")).toBe(-3)
      for (const text of ["", "9007199254740992"]) {
        expect(yield* Effect.flip(Flag.integer("n").parse(text, "--seed"))).toMatchObject({ _tag: "UsageError" })
      }
    }),
  )
})
