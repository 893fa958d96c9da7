/** Runs named faults: the HTTP stacks and the timeout of each, and a table of the outcomes. */
import { it } from "@effect/vitest"
import * as Faults from "@vigil/sandbox/Faults"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { afterAll } from "vitest"
import * as HttpStack from "./HttpStack.js"

/**
 * The rows of the list of faults that depend on the HTTP stack: how a link is sent (13, 16, 17), redirects (21–23), connections (24–29),
 * size and compression of bodies (30–33, 57), responses without a body (35, 36), encodings of text (37, 38), and secrets (56).
 */
const rowsOfTheStack: ReadonlySet<number> = new Set([
  13, 16, 17, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 35, 36, 37, 38, 56, 57,
])

/** Faults of other rows that depend on the HTTP stack. */
const ofTheStack: ReadonlySet<Faults.Name> = new Set([
  "next-link-http",
  "next-link-loop-fragment",
  "next-link-loop-spelling",
  "error-5-mb",
  "error-without-end",
])

/** The HTTP stacks of a fault: all, or `HttpStack.one` if the outcome depends only on the received bytes. */
const stacksOf = (name: Faults.Name): ReadonlyArray<HttpStack.Name> =>
  ofTheStack.has(name) || rowsOfTheStack.has(Faults.byName(name).row) ? HttpStack.names : [HttpStack.one]

/** Pairs each fault with each of its HTTP stacks. */
export const over = <Name extends Faults.Name>(names: ReadonlyArray<Name>) =>
  names.flatMap((name) => stacksOf(name).map((stack) => [name, stack] as const))

const stalled: ReadonlySet<Faults.Name> = new Set(["drip", "silent", "silent-in-headers", "silent-in-body"])

/** The timeout of a request: short for a fault that stalls, otherwise long enough for a slow machine. */
export const timeoutOf = (name: Faults.Name) => (stalled.has(name) ? "400 millis" : "60 seconds")

/** The options of a client that reads a fault. The default limit, of 32 MiB, takes seconds to decompress. */
export const optionsOf = (name: Faults.Name) =>
  ({
    timeout: timeoutOf(name),
    ...(name.startsWith("gzip-bomb") ? { maxBodyBytes: 1_048_576 } : {}),
  }) as const

const waiting: ReadonlySet<Faults.Name> = new Set([...stalled, "error-without-end"])

/** Defines a test for each case. Cases that wait for a timeout run concurrently, because they need no CPU time. */
export const each = <Case extends readonly [name: Faults.Name, ...ReadonlyArray<unknown>]>(
  cases: ReadonlyArray<Case>,
  title: string,
  test: (fault: Case) => Effect.Effect<void, unknown, Scope.Scope>,
): void => {
  const idle = cases.filter(([name]) => waiting.has(name))
  const computing = cases.filter(([name]) => !waiting.has(name))
  it.live.each<Case>(computing)(title, test)
  it.live.each<Case>(idle)(title, test, { concurrent: true })
}

/** Prints a table after all tests: a line for each fault, with the outcomes that `add` recorded in each column. */
export const table = (columns: ReadonlyArray<string>) => {
  const outcomes = new Map<Faults.Name, Map<string, string>>()
  afterAll(() => {
    const line = (first: string, cells: ReadonlyArray<string>) =>
      [first.padEnd(32), ...cells.map((cell) => cell.padEnd(20))].join(" ").trimEnd()
    const rows = [...outcomes].map(([name, cells]) =>
      line(
        `${Faults.byName(name).row} ${name}`,
        columns.map((column) => cells.get(column) ?? ""),
      ),
    )
    // oxlint-disable-next-line no-console -- The table is output for people.
    console.log([line("fault", columns), ...rows].join("\n"))
  })
  return {
    outcomes,
    add: (name: Faults.Name, column: string, outcome: string): void => {
      outcomes.set(name, (outcomes.get(name) ?? new Map<string, string>()).set(column, outcome))
    },
  }
}
