/** CSV that spreadsheets do not interpret as formulas. */
import * as TerminalText from "@vigil/health-text/TerminalText"
import { stringify } from "csv-stringify/sync"
import type { Cell, Printer, Row } from "./Printable.js"

/** A formula after a separator: in many countries, spreadsheets separate cells by semicolons. */
const formula = /([,;|][" ]*)([=+\-@\uff0b\uff0d\uff1d\uff20])/g

const cell = (value: Cell): Cell =>
  typeof value === "string" ? TerminalText.line(value).replace(formula, "$1'$2") : value

/** The rows as lines (RFC 4180, with line feeds). A cell that may be a formula begins with an apostrophe. */
export const lines = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : stringify(
        rows.map((row) => row.map(cell)),
        { escape_formulas: true, cast: { boolean: String } },
      )
        .trimEnd()
        .split("\n")

export const csv: Printer = {
  list: ({ fields, isRow }, hasHeadings) => {
    const header = hasHeadings ? lines([Object.keys(fields)]) : []
    const reads = Object.values(fields)
    return {
      part: (values, printed) => [
        ...(printed === 0 ? header : []),
        ...lines(values.filter(isRow).map((value) => reads.map((read) => read(value)))),
      ],
      end: (printed) => (printed === 0 ? header : []),
    }
  },
  one: ({ record }) => lines([Object.keys(record), Object.values(record)]),
}
