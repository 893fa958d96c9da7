/** A check, and how checks are printed. */
import type * as Format from "../output/Format.js"

/** `skipped`: not possible or not needed. */
type Result = "ok" | "warning" | "failed" | "skipped"

/** A result, where it comes from, and what to do. */
export interface Check {
  readonly check: string
  readonly result: Result
  readonly found: string
  readonly from?: string | undefined
  readonly advice?: string | undefined
}

export const isBad = ({ result }: Check): boolean => result === "failed" || result === "warning"

export const shape: Format.Shape<Check> = {
  columns: [
    { heading: "CHECK" },
    { heading: "RESULT" },
    { heading: "FOUND", least: 16 },
    { heading: "FROM", least: 8, leaveOut: 1 },
    { heading: "WHAT TO DO", least: 16, leaveOut: 2 },
  ],
  row: ({ advice, check, found, from, result }) => [check, result, found, from ?? "", advice ?? ""],
  fields: ["check", "result", "found", "from", "advice"],
  record: ({ advice, check, found, from, result }) => [check, result, found, from, advice],
  json: ({ advice, check, found, from, result }) => ({
    check,
    result,
    found,
    from: from ?? null,
    advice: advice ?? null,
  }),
}
