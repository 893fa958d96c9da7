/** A table: aligned columns on a terminal, otherwise tab-separated cells. */
import stringWidth from "string-width"
import * as TerminalText from "@vigil/health-report/TerminalText"
import * as Wrap from "@vigil/health-report/Wrap"

export interface Column {
  readonly heading: string
  /** The minimum width in cells. Without it, the column does not shrink. */
  readonly minWidth?: number
  /** If shrinking is not enough, columns are hidden, lowest number first. Without it, the column stays. */
  readonly hideOrder?: number
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

const slackOf = ({ minWidth, width }: Fitted) => (minWidth === undefined ? 0 : Math.max(0, width - minWidth))

/** Shrinks columns in proportion to the space above their minimum. */
const shrink = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> => {
  let left = Math.max(0, excess(columns, available))
  let total = columns.reduce((sum, column) => sum + slackOf(column), 0)
  return columns.map((column) => {
    const slack = slackOf(column)
    const cells = total === 0 ? 0 : Math.min(slack, Math.round((left * slack) / total))
    left -= cells
    total -= slack
    return { ...column, width: column.width - cells }
  })
}

/** Shrinks columns from last to first: IDs come first. */
const squeeze = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> =>
  columns.reduceRight<ReadonlyArray<Fitted>>((all, { index, width }) => {
    const cells = Math.min(width - 1, Math.max(0, excess(all, available)))
    return all.map((column) => (column.index === index ? { ...column, width: width - cells } : column))
  }, columns)

const fit = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> => {
  const shrunk = shrink(columns, available)
  if (excess(shrunk, available) <= 0) return shrunk
  const [next] = columns
    .filter(({ hideOrder }) => hideOrder !== undefined)
    .toSorted((a, b) => (a.hideOrder ?? 0) - (b.hideOrder ?? 0))
  return next === undefined
    ? squeeze(shrunk, available)
    : fit(
        columns.filter((column) => column !== next),
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
    return width === undefined ? line : TerminalText.truncate(line, maxLength)
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
