/** Calls may be interrupted at any step: no other call of their client hangs. */
import { expect, it } from "@effect/vitest"
import { Credential, Retry, type ServiceClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, fake, get, interruptedAt, ok, settle, status } from "./fake.js"

const one = { concurrency: 1 }
const credential = Credential.bearer(Effect.as(Effect.yieldNow, Redacted.make("token")))

it.effect.each<[string, number, Partial<ServiceClient.Options>, "paused"?]>([
  ["has the permit", 0, one],
  ["waits first", 1, one],
  ["waits second", 2, one],
  ["fetches the credential", 0, { credential }],
  ["goes first after a pause", 0, {}, "paused"],
])("no call hangs if the one that %s is interrupted", ([, interrupted, options, paused]) =>
  Effect.gen(function* () {
    const hanging: Array<number> = []
    let hasEnded = false
    // A step after the end of the call interrupts nothing, as do all later ones.
    for (let step = 1; !hasEnded; step++) {
      const server = fake((n) => (paused && n === 1 ? status(429, "1") : ok()))
      const service = yield* clientOf(server, { retry: Retry.none, ...options })
      if (paused) yield* Effect.andThen(Effect.flip(get(service)), TestClock.adjust("2 seconds"))
      const call = (n: number) =>
        Effect.forkDetach(n === interrupted ? interruptedAt(step, get(service)) : get(service))
      const fibers = yield* Effect.forEach([0, 1, 2, 3], call)
      yield* Effect.andThen(settle, settle)
      hasEnded = fibers[interrupted]?.pollUnsafe()?._tag === "Success"
      if (fibers.some((fiber) => fiber.pollUnsafe() === undefined)) hanging.push(step)
      for (const fiber of fibers) yield* Effect.sync(() => fiber.interruptUnsafe())
    }
    expect(hanging).toEqual([])
  }),
)
