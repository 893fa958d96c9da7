/** `listBySubscription` under every fault of links, pages and entries. */
import { expect, it } from "@effect/vitest"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as Effect from "effect/Effect"
import { expected, rows } from "./expected.js"
import { connect, drain, subscription, tagOf } from "./harness.js"

const names = Faults.names.filter((name) => rows.includes(Faults.byName(name).row))

FaultRuns.each(FaultRuns.over(names), "a list under %s over %s", ([name, stack]) =>
  Effect.gen(function* () {
    const started = yield* Faults.start(name)
    const client = yield* connect(started.server.origin, stack)
    const options = name === "endless-links" ? { maxPages: 50 } : {}
    const { delivered, error } = yield* drain(started, client.listBySubscription(subscription, options))
    const requests = yield* started.server.requests
    const { events, fields, outcome, second, ...wanted } = yield* Effect.fromNullishOr(expected[name])

    expect(tagOf(error), error?.message).toBe(outcome)
    const found = delivered.map((event) => String(event.name))
    expect(found.slice(0, outcome === "PageLoop" ? wanted.delivered.length : undefined)).toEqual(wanted.delivered)
    if (events !== undefined) expect(delivered).toMatchObject(events)
    // A loop is detected within four rounds.
    if (wanted.requests === undefined) expect(requests.length).toBeLessThan(wanted.delivered.length * 4)
    else expect(requests).toHaveLength(wanted.requests)
    if (second !== undefined) expect(requests[1]?.target).toBe(second)
    if (error !== undefined && "operation" in error) expect(error.operation).toBe("HealthClient.listBySubscription")
    if (fields !== undefined)
      expect({ ...(error?._tag === "RequestError" ? error.reason : error) }).toMatchObject(
        fields({ own: started.server.origin, foreign: started.foreign.origin }),
      )
  }),
)

it("every expectation is for a fault of these rows", () => {
  expect(Object.keys(expected).toSorted()).toEqual(names.toSorted())
})
