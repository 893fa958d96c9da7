/** CSV that no spreadsheet takes for formulas. */
import { stringify } from "csv-stringify/sync"
import * as TerminalText from "./TerminalText.js"

/** A cell; nothing is an empty one. */
export type Cell = string | number | boolean | null | undefined

/** A row, cell by cell. */
export type Row = ReadonlyArray<Cell>

/** What begins a formula, behind a separator of cells: spreadsheets of many countries separate by semicolons, and not by commas. */
const formula = /([,;|][" ]*)([=+\-@\uff0b\uff0d\uff1d\uff20])/g

/** As it is, but for what moves a terminal's cursor, and formulas behind separators, which get an apostrophe. */
const cell = (value: Cell): Cell =>
  typeof value === "string" ? TerminalText.line(value).replace(formula, "$1'$2") : value

/** The rows as lines (RFC 4180; a line feed ends each). A cell that a spreadsheet would run begins with an apostrophe. */
export const lines = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : stringify(
        rows.map((row) => row.map(cell)),
        { escape_formulas: true, cast: { boolean: String } },
      )
        .trimEnd()
        .split("\n")
