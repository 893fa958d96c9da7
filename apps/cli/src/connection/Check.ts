/** A check of `doctor` and `auth status`, and how checks are printed. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { CommandError } from "../command/CommandError.js"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import type * as Printable from "../output/Printable.js"

/** A result, where it comes from, and what to do. */
export interface Check {
  readonly check: string
  /** `skipped`: not possible or not needed. */
  readonly result: "ok" | "warning" | "failed" | "skipped"
  readonly found: string
  readonly from?: string | undefined
  readonly advice?: string | undefined
}

export const ok = (check: string, found: string, from?: string): Check => ({ check, result: "ok", found, from })

const problem =
  (result: "failed" | "warning") =>
  (check: string, found: string, advice: string, from?: string): Check => ({ check, result, found, from, advice })

export const failed = problem("failed")
export const warning = problem("warning")

export const skipped = (check: string, found: string, advice?: string): Check => ({
  check,
  result: "skipped",
  found,
  advice,
})

const definition: Printable.Definition<Check> = {
  columns: [
    { heading: "CHECK", field: "check", minWidth: 22 },
    { heading: "RESULT", field: "result" },
    { heading: "FOUND", field: "found", minWidth: 28 },
    { heading: "FROM", field: "from", minWidth: 8, hideOrder: 1 },
    { heading: "WHAT TO DO", field: "advice", isBelow: true },
  ],
  fields: {
    check: ({ check }) => check,
    result: ({ result }) => result,
    found: ({ found }) => found,
    from: ({ from }) => from,
    advice: ({ advice }) => advice,
  },
}

/** Prints checks. Fails with `CommandError` if some found problems. */
export const print = Effect.fnUntraced(function* (format: Format.Format, checks: ReadonlyArray<Check>) {
  yield* Format.list(format, definition, Stream.make(checks))
  const problems = checks.filter(({ result }) => result === "failed" || result === "warning")
  if (problems.length === 0) return
  const found = `${problems.length} of ${checks.length} checks found problems`
  const { width } = yield* Output
  // A terminal shows the advice below each check.
  const advice = problems.map(({ advice = "", check }) => `${check}: ${advice}`).join(" ")
  yield* new CommandError(
    "incomplete",
    Format.isTable(format) && width ? `${found}: see above.` : `${found}. ${advice}`,
  )
})
