/** A list under every named fault, over the `fetch` of each runtime. Prints a table of the outcomes. */
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as Runtimes from "@vigil/testing/Runtimes"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { expected } from "../faults/expected.js"

const isStopped = (name: Faults.Name) => Faults.byName(name).stopped

// Safe, because `expected` is an object literal with exactly these keys. A server that stops is the last, because another could get its port.
const names = (Object.keys(expected) as ReadonlyArray<keyof typeof expected>).toSorted(
  (one, other) => Number(isStopped(one)) - Number(isStopped(other)),
)

interface Outcome {
  readonly delivered: string | undefined
  readonly outcome: string
  readonly requests: number | undefined
}

/** A body that is cut fails, and the request is repeated. Node's fetch returns the part that it could decompress. */
const failsIfCut: Outcome = { delivered: "", outcome: "Transport", requests: 4 }

/** What differs from Node. */
const differences: Partial<Record<Runtimes.Name, Partial<Record<Faults.Name, Outcome>>>> = {
  bun: { "gzip-cut": failsIfCut },
  deno: {
    "gzip-cut": failsIfCut,
    // Deno's fetch returns the first member only.
    "gzip-members": { delivered: "", outcome: "Decode", requests: 1 },
  },
  workerd: { "gzip-cut": failsIfCut },
}

const expectedOn = (runtime: Runtimes.Name, name: keyof typeof expected): Outcome => {
  const byStack = expected[name]
  return differences[runtime]?.[name] ?? ("outcome" in byStack ? byStack : byStack.fetch)
}

const decode = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ delivered: Schema.String, outcome: Schema.String })),
)

const table = FaultRuns.table(Runtimes.names)

it.effect.each(Runtimes.names)(
  "on %s, faults have the expected outcomes, and no other origin gets a request",
  (runtime) =>
    Effect.gen(function* () {
      // Half an hour ahead: a reply with a date two seconds after the start of its server is read before that date.
      yield* TestClock.setTime(Date.now() + 30 * 60_000)
      const all = yield* Effect.forEach(names, (name) =>
        Effect.map(Faults.start(name), (fault) => ({ name, ...fault })),
      )
      for (const trusts of [false, true]) {
        const faults = all.filter(({ name, scenario }) => (scenario.tls && name !== "tls-untrusted") === trusts)
        const results = yield* Runtimes.run(runtime, {
          module: join(import.meta.dirname, "readFaults.ts"),
          input: faults.map(({ name, server }) => ({ baseUrl: server.origin, ...FaultRuns.optionsOf(name) })),
          trusts,
        }).pipe(Effect.flatMap(decode))
        for (const [index, { foreign, name, server }] of faults.entries()) {
          const found = { ...results[index], requests: (yield* server.requests).length }
          const { delivered = found.delivered, outcome, requests = found.requests } = expectedOn(runtime, name)
          table.add(name, runtime, `${found.outcome} ${found.requests}`)
          expect.soft(found, name).toEqual({ delivered, outcome, requests })
          expect.soft(yield* foreign.bytes, name).toBe("")
        }
      }
    }),
)
