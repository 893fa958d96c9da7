/** The list of a subscription under every fault that a list can meet; a table of what became of it is printed. */
import { describe, expect, it } from "@effect/vitest"
import { Faults } from "@vigil/sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestContext from "effect/TestContext"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import { expected, type Name, rows } from "./expected.js"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"

// The keys of an object are those of its type where it is written down as one.
const names = Object.keys(expected) as ReadonlyArray<Name>

const table = FaultRuns.table(["outcome"])

const read = (name: Name) =>
  Effect.gen(function* () {
    const started = yield* Faults.start(name)
    const { client } = yield* connect(started.server.origin, { timeout: FaultRuns.timeoutOf(name) })
    const options = name === "endless-links" ? { maxPages: 50 } : {}
    const ending = yield* guarded(started, drain(client.listBySubscription(subscription, options)))
    return { ...started, ...ending, requests: yield* started.server.requests }
  })

describe("a list", () => {
  FaultRuns.each(
    names.map((name) => [name] as const),
    "%s",
    ([name]) =>
      Effect.gen(function* () {
        // The date is in seconds of a clock that stands still, or a slow machine would be too late for it.
        const reading = name === "retry-after-date" ? Effect.provide(read(name), TestContext.TestContext) : read(name)
        const { delivered, error, foreign, requests, server } = yield* reading
        const { ends, events, holds, retryAfter, says, second, ...wanted } = expected[name]
        table.add(name, "outcome", `${delivered.length}, ${tagOf(error)}`)

        expect(tagOf(error), error?.message).toBe(ends)
        const length = ends === "PageLoop" ? wanted.delivered.length : undefined
        expect(namesOf(delivered).slice(0, length)).toEqual(wanted.delivered)
        if (events !== undefined) expect(delivered).toMatchObject(events)
        // It is certain of a loop before it has gone through it four times.
        if (wanted.requests === undefined) expect(requests.length).toBeLessThan(wanted.delivered.length * 4)
        else expect(requests).toHaveLength(wanted.requests)
        expect(requests[0]?.target).toBe(
          "/subscriptions/s1/providers/Vendor.ResourceHealth/events?api-version=2025-05-01",
        )
        if (typeof second === "string") expect(requests[1]?.target).toBe(second)
        else if (second !== undefined) expect(requests[1]?.target).toMatch(second)

        if (error !== undefined && "operation" in error) {
          expect(error.operation).toBe("HealthClient.listBySubscription")
          expect(error.message).toMatch(/^HealthClient\.listBySubscription: /)
        }
        // Of its fields: what an error differs in can't be printed.
        if (holds !== undefined)
          expect({ ...error }).toMatchObject(holds({ own: server.origin, foreign: foreign.origin }))
        if (says !== undefined) expect(error?.message).toMatch(says)
        if (error?._tag === "LinkRefused" && error.reason === "origin")
          expect(error.message).toContain(`${error.target} instead of ${server.origin}`)
        if (retryAfter !== undefined)
          expect(
            error !== undefined && "retryAfter" in error && Option.map(error.retryAfter, Duration.toSeconds),
          ).toEqual(Option.some(retryAfter))
      }),
  )

  it("has met every fault of its rows, and no other", () => {
    const ofRows = Faults.names.filter((name) => rows.includes(Faults.byName(name).row))
    expect(new Set(names)).toEqual(new Set(ofRows))
    expect(new Set(table.outcomes.keys())).toEqual(new Set(ofRows))
    expect(new Set(ofRows.map((name) => Faults.byName(name).row))).toEqual(new Set(rows))
  })
})
