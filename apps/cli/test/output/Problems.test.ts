/** The notes of problems that are checked again and again. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Output } from "../../src/output/Output.js"
import * as Problems from "../../src/output/Problems.js"
import { collectNotes } from "../support/notes.js"

it.effect("a check that has a defect is noted, and does not end the next ones", () =>
  Effect.gen(function* () {
    const { output, take } = collectNotes()
    let isBroken = true
    const check = Effect.suspend(() => (isBroken ? Effect.die(new Error("a secret")) : Effect.succeed([])))
    yield* Problems.follow(check, "5 seconds").pipe(Effect.provideService(Output, output), Effect.forkScoped)
    yield* TestClock.adjust("2 minutes")
    expect(take()).toEqual(["vigil: A check failed. This is a bug in vigil, please report it: Error."])
    isBroken = false
    yield* TestClock.adjust("2 minutes")
    expect(take()).toEqual(["vigil: The check works again."])
  }),
)
