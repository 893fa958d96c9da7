/** A table: aligned columns on a terminal, otherwise tab-separated cells. */
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import stringWidth from "fast-string-width"

export interface Column {
  readonly heading: string
  /** The minimum width in cells. Without it, the column does not shrink. */
  readonly minWidth?: number
  /** If shrinking is not enough, columns are hidden, lowest number first. They also shrink first. Without it, the column stays. */
  readonly hideOrder?: number
  /** The column is not hidden, but its minimum width becomes this one, in cells. */
  readonly leastWidth?: number
  /** The color of a cell on a terminal with color. */
  readonly color?: (cell: string) => TerminalText.Color | undefined
}

const gap = "  "
/** In UTF-16 code units: wider than any terminal. */
const maxLength = 2_000

interface Fitted extends Column {
  readonly index: number
  readonly width: number
}

const excess = (columns: ReadonlyArray<Fitted>, available: number) =>
  columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1)) - available

/** After every `hideOrder`. */
const last = Number.MAX_SAFE_INTEGER

const byHideOrder = (columns: ReadonlyArray<Fitted>): ReadonlyArray<Fitted> =>
  columns.toSorted((a, b) => (a.hideOrder ?? last) - (b.hideOrder ?? last))

/** Shrinks one column after the other to its minimum, until all fit. */
const shrink = (
  columns: ReadonlyArray<Fitted>,
  available: number,
  order: ReadonlyArray<Fitted>,
  minimum: (column: Fitted) => number,
): ReadonlyArray<Fitted> => {
  let left = Math.max(0, excess(columns, available))
  const widths = new Map<number, number>()
  for (const column of order) {
    const cells = Math.max(0, Math.min(left, column.width - minimum(column)))
    left -= cells
    widths.set(column.index, column.width - cells)
  }
  return columns.map((column) => ({ ...column, width: widths.get(column.index) ?? column.width }))
}

const fit = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> => {
  const order = byHideOrder(columns)
  const shrunk = shrink(columns, available, order, ({ minWidth = Infinity }) => minWidth)
  if (excess(shrunk, available) <= 0) return shrunk
  const next = order.find(({ hideOrder }) => hideOrder !== undefined)
  // IDs come first, and shrink last.
  if (next === undefined) return shrink(shrunk, available, shrunk.toReversed(), () => 1)
  const { hideOrder: _, leastWidth, ...rest } = next
  const replacement = leastWidth === undefined ? [] : [{ ...rest, minWidth: leastWidth }]
  return fit(
    columns.flatMap((column) => (column === next ? replacement : [column])),
    available,
  )
}

/** Renders the table, and returns the headings of the columns that do not fit as `hidden`. `width` is in cells; without it, cells are complete and separated by tabs. */
export const render = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width?: number,
  hasColor = false,
) => {
  const cell = (text: string) => {
    const line = TerminalText.line(text)
    return width === undefined ? line : SafeText.cut(line, maxLength)
  }
  const cells = [columns.map(({ heading }) => heading), ...rows.map((row) => row.map(cell))]
  if (width === undefined) return { lines: cells.map((row) => row.join("\t")), hidden: [] }
  const fitted = fit(
    columns.map((column, index) => ({
      ...column,
      index,
      width: cells.reduce((widest, row) => Math.max(widest, stringWidth(row[index] ?? "")), 0),
    })),
    width,
  )
  const line = (row: ReadonlyArray<string>, isHeading: boolean) =>
    fitted
      .map(({ color, index, width }) => {
        const cell = row[index] ?? ""
        const text = Wrap.cut(cell, width)
        return TerminalText.paint(text, hasColor && !isHeading ? color?.(cell) : undefined) + Wrap.padding(text, width)
      })
      .join(gap)
      .trimEnd()
  return {
    lines: cells.map((row, index) => line(row, index === 0)),
    hidden: columns
      .filter((_, index) => fitted.every((column) => column.index !== index))
      .map(({ heading }) => heading),
  }
}
