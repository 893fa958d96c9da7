/** A check, and how checks are printed. */
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

export const isProblem = ({ result }: Check): boolean => result === "failed" || result === "warning"

export const ok = (check: string, found: string, from?: string): Check => ({ check, result: "ok", found, from })

const problem =
  (result: "failed" | "warning") =>
  (check: string, found: string, advice: string, from?: string): Check => {
    return { check, result, found, from, advice }
  }

export const failed = problem("failed")
export const warning = problem("warning")

export const skipped = (check: string, found: string, advice?: string): Check => {
  return { check, result: "skipped", found, advice }
}

export const definition: Printable.Definition<Check> = {
  columns: [
    { heading: "CHECK", cell: ({ check }) => check },
    { heading: "RESULT", cell: ({ result }) => result },
    { heading: "FOUND", minWidth: 16, cell: ({ found }) => found },
    { heading: "FROM", minWidth: 8, hideOrder: 1, cell: ({ from }) => from },
    { heading: "WHAT TO DO", minWidth: 16, hideOrder: 2, cell: ({ advice }) => advice },
  ],
  fields: {
    check: ({ check }) => check,
    result: ({ result }) => result,
    found: ({ found }) => found,
    from: ({ from }) => from,
    advice: ({ advice }) => advice,
  },
}
