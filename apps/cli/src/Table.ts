/** A table for people: aligned columns, one row a line, never wider than the terminal. */
import stringWidth from "string-width"
import * as TerminalText from "./TerminalText.js"

/** A column: its heading, and whether it gives way when the terminal is narrow. */
export interface Column {
  readonly heading: string
  readonly flexible?: boolean
}

const gap = "  "
const ellipsis = "…"

/** The least that a flexible column shrinks to, in cells of the terminal. */
const least = 12

const segments = new Intl.Segmenter("en", { granularity: "grapheme" })

/** `text` in at most `width` cells. */
const cut = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text
  let kept = ""
  for (const { segment } of segments.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return kept.trimEnd() + ellipsis
}

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - stringWidth(text)))

/** The widths of the columns, the flexible ones narrowed in turn, the widest first, until all fit in `available`. */
const fit = (columns: ReadonlyArray<Column>, natural: ReadonlyArray<number>, available: number): Array<number> => {
  const widths = [...natural]
  const excess = () => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) - available
  while (excess() > 0) {
    const widest = columns.reduce(
      (best, column, index) =>
        column.flexible === true && (widths[index] ?? 0) > Math.max(least, widths[best] ?? 0) ? index : best,
      -1,
    )
    if (widest === -1) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/** The lines of the table, headings first. `width` is the terminal's, in cells; without one nothing is cut. */
export const render = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width = Number.POSITIVE_INFINITY,
): ReadonlyArray<string> => {
  const cells = [columns.map(({ heading }) => heading), ...rows.map((row) => row.map(TerminalText.line))]
  const natural = columns.map((_, index) =>
    cells.reduce((most, row) => Math.max(most, stringWidth(row[index] ?? "")), 0),
  )
  const widths = fit(columns, natural, width)
  return cells.map((row) =>
    row
      .map((cell, index) => pad(cut(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}
