/** A list under every named fault. Prints a table of the outcomes. */
import { expect } from "@effect/vitest"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import { type ByStack, expected } from "./expected.js"
import { canary, list, listByHttpClient, read, tagOf } from "./harness.js"

// Safe, because `expected` is an object literal with exactly these keys.
const names = Object.keys(expected) as ReadonlyArray<keyof typeof expected>

const table = FaultRuns.table(HttpStack.names)

const expectedOf = (byStack: ByStack, stack: HttpStack.Name) => ("outcome" in byStack ? byStack : byStack[stack])

/** They take seconds. */
const slow: ReadonlySet<Faults.Name> = new Set(["page-of-20-mb", "too-large-chunked"])

/** Both ways lead over one path, so the HTTP client needs no other stack. */
const cases = [
  ...FaultRuns.over(names).map(([name, stack]) => [name, stack, "get"] as const),
  ...names.filter((name) => !slow.has(name)).map((name) => [name, HttpStack.one, "httpClient"] as const),
]

FaultRuns.each(cases, "a list under %s over %s by %s", ([name, stack, way]) =>
  Effect.gen(function* () {
    const { foreign, scenario, server } = yield* Faults.start(name)
    const options = { baseUrl: server.origin, ...FaultRuns.optionsOf(name) }
    const reading = read(options, way === "get" ? list : listByHttpClient)
    const { delivered, error } = yield* Recorder.guarded(
      { server, foreign },
      { canary, header: "authorization", value: new RegExp(`^Bearer ${canary}`) },
      Effect.provide(reading, HttpStack.forFault(stack, scenario)),
      (result) => [result.error],
    )
    const requests = yield* server.requests
    const { outcome, ...wanted } = expectedOf(expected[name], stack)
    if (way === "get") table.add(name, stack, `${delivered.length}, ${tagOf(error)}`)

    // By the HTTP client, the application decodes the body.
    const isDecoded = way === "httpClient" && ["HttpClientError", "SchemaError"].includes(tagOf(error))
    expect(isDecoded ? "Decode" : tagOf(error), error?.message).toBe(outcome)
    if (wanted.delivered !== undefined) expect(delivered.join(" ")).toBe(wanted.delivered)
    if (wanted.requests !== undefined) expect(requests).toHaveLength(wanted.requests)
    if (wanted.message !== undefined && !isDecoded) expect(error?.message).toMatch(wanted.message)
  }),
)
