/** `listBySubscription` under every fault that applies to it. Prints a table of the outcomes. */
import { describe, expect, it } from "@effect/vitest"
import { Faults } from "@vigil/sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import { expected, type Name, rows } from "./expected.js"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"

// Safe, because `expected` is an object literal with exactly these keys.
const names = Object.keys(expected) as ReadonlyArray<Name>

const table = FaultRuns.table(["outcome"])

const read = (name: Name) =>
  Effect.gen(function* () {
    const started = yield* Faults.start(name)
    const { client } = yield* connect(started.server.origin, { timeout: FaultRuns.timeoutOf(name) })
    const options = name === "endless-links" ? { maxPages: 50 } : {}
    const result = yield* guarded(started, drain(client.listBySubscription(subscription, options)))
    return { ...started, ...result, requests: yield* started.server.requests }
  })

describe("a list", () => {
  FaultRuns.each(
    names.map((name) => [name] as const),
    "%s",
    ([name]) =>
      Effect.gen(function* () {
        // The header is a date. On a slow machine, a real clock could pass it before the response is read.
        const result = name === "retry-after-date" ? Effect.provide(read(name), TestClock.layer()) : read(name)
        const { delivered, error, foreign, requests, server } = yield* result
        const { events, fields, message, outcome, retryAfter, second, ...wanted } = expected[name]
        table.add(name, "outcome", `${delivered.length}, ${tagOf(error)}`)

        expect(tagOf(error), error?.message).toBe(outcome)
        const length = outcome === "PageLoop" ? wanted.delivered.length : undefined
        expect(namesOf(delivered).slice(0, length)).toEqual(wanted.delivered)
        if (events !== undefined) expect(delivered).toMatchObject(events)
        // A loop is detected within four rounds.
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
        // Copied, because the diff of an error does not show its fields.
        if (fields !== undefined)
          expect({ ...error }).toMatchObject(fields({ own: server.origin, foreign: foreign.origin }))
        if (message !== undefined) expect(error?.message).toMatch(message)
        if (error?._tag === "LinkRefused" && error.reason === "origin")
          expect(error.message).toContain(`${error.target} instead of ${server.origin}`)
        if (retryAfter !== undefined)
          expect(
            error !== undefined && "retryAfter" in error && Option.map(error.retryAfter, Duration.toSeconds),
          ).toEqual(Option.some(retryAfter))
      }),
  )

  it("covers exactly the faults of its rows", () => {
    const applicable = Faults.names.filter((name) => rows.includes(Faults.byName(name).row))
    expect(new Set(names)).toEqual(new Set(applicable))
    expect(new Set(table.outcomes.keys())).toEqual(new Set(applicable))
    expect(new Set(applicable.map((name) => Faults.byName(name).row))).toEqual(new Set(rows))
  })
})
