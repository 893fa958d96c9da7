/** A list under every named fault. Prints a table of the outcomes. */
import { expect } from "@effect/vitest"
import { ServiceClient } from "@vigil/core-http"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import { type ByStack, expected } from "./expected.js"
import { canary, drain, fastRetry, list, rotatingCredential, tagOf } from "./harness.js"

// Safe, because `expected` is an object literal with exactly these keys.
const names = Object.keys(expected) as ReadonlyArray<keyof typeof expected>

const table = FaultRuns.table(HttpStack.names)

const expectedOf = (byStack: ByStack, stack: HttpStack.Name) => ("outcome" in byStack ? byStack : byStack[stack])

FaultRuns.each(FaultRuns.over(names), "a list under %s over %s", ([name, stack]) =>
  Effect.gen(function* () {
    const { foreign, scenario, server } = yield* Faults.start(name)
    const { credential } = rotatingCredential()
    const read = Effect.gen(function* () {
      const service = yield* ServiceClient.make({
        service: "thing",
        baseUrl: server.origin,
        credential,
        ...fastRetry,
        timeout: FaultRuns.timeoutOf(name),
        // The default limit, of 32 MiB, takes seconds to decompress.
        ...(name.startsWith("gzip-bomb") ? { maxBodyBytes: 1_048_576 } : {}),
      })
      return yield* drain(list(service, service.url("/list", { "api-version": "2025-05-01" })))
    }).pipe(Effect.provide(HttpStack.forFault(stack, scenario)))
    const { delivered, error } = yield* Recorder.guarded(
      { server, foreign },
      { canary, header: "authorization", value: new RegExp(`^Bearer ${canary}`) },
      read,
      (result) => [result.error],
    )
    const requests = yield* server.requests
    const { outcome, ...wanted } = expectedOf(expected[name], stack)
    table.add(name, stack, `${delivered.length}, ${tagOf(error)}`)

    expect(tagOf(error), error?.message).toBe(outcome)
    if (wanted.delivered !== undefined) expect(delivered.join(" ")).toBe(wanted.delivered)
    if (wanted.requests !== undefined) expect(requests).toHaveLength(wanted.requests)
    if (wanted.message !== undefined) expect(error?.message).toMatch(wanted.message)
  }),
)
