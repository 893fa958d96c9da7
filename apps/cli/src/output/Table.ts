/** A table: aligned columns on a terminal, otherwise tab-separated cells. */
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import * as Order from "effect/Order"
import stringWidth from "fast-string-width"

export interface Column {
  readonly heading: string
  /** The minimum width in cells. Without it, the column does not shrink. */
  readonly minWidth?: number
  /** Before a column with this width hides, all that have one shrink to it. */
  readonly tightWidth?: number
  /** On a terminal, the column is left out if it is empty, except with `--output wide` or without headings. If shrinking is not enough, columns with one value hide first, then the lowest number. Without it, the column stays. */
  readonly hideOrder?: number
  /** On a terminal, the cells are lines below their rows: advice is long. */
  readonly isBelow?: boolean
  /** A shorter text for a cell that does not fit. Default: its beginning. */
  readonly shorten?: (cell: string) => string | undefined
  /** The color of a cell on a terminal with color. */
  readonly color?: (cell: string) => TerminalText.Color | undefined
}

const gap = "  "
/** In UTF-16 code units: wider than any terminal. */
const maxLength = 2_000

interface Fitted extends Column {
  readonly index: number
  /** The width of its widest cell. */
  readonly wanted: number
  readonly width: number
  /** Whether the column has the same cell in several rows. */
  readonly isSame: boolean
}

const total = (columns: ReadonlyArray<Fitted>) =>
  columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1))

/** Shrinks the columns until they fit, each to its minimum and the same number of cells more. The one that lacks most has the cells that are left. */
const shrink = (columns: ReadonlyArray<Fitted>, available: number, minimum: (column: Fitted) => number) => {
  for (let extra = available; extra >= 0; extra -= 1) {
    const shrunk = columns.map((column) => ({ ...column, width: Math.min(column.wanted, minimum(column) + extra) }))
    const left = available - total(shrunk)
    if (left < 0) continue
    const lacks = shrunk.map(({ wanted, width }) => wanted - width)
    const most = Math.max(...lacks)
    return shrunk.map((column, index) =>
      index === lacks.indexOf(most) ? { ...column, width: column.width + Math.min(left, most) } : column,
    )
  }
  return undefined
}

const firstHidden = Order.combine(
  Order.mapInput(Order.flip(Order.Boolean), ({ isSame }: Fitted) => isSame),
  Order.mapInput(Order.Number, ({ hideOrder = 0 }: Fitted) => hideOrder),
)

const fit = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> => {
  const [next] = columns.filter(({ hideOrder }) => hideOrder !== undefined).toSorted(firstHidden)
  const canTighten = next?.tightWidth !== undefined && !next.isSame
  const shrunk =
    shrink(columns, available, ({ minWidth = Infinity }) => minWidth) ??
    (canTighten
      ? shrink(columns, available, ({ minWidth = Infinity, tightWidth = minWidth }) => tightWidth)
      : undefined)
  if (shrunk !== undefined) return shrunk
  return next === undefined
    ? (shrink(columns, available, () => 1) ?? columns.map((column) => ({ ...column, width: 1 })))
    : fit(
        columns.filter((column) => column !== next),
        available,
      )
}

/** Renders the table, and returns the headings of the columns that do not fit as `hidden`. `width` is in cells; without it, cells are complete and separated by tabs. Without headings, a column with one value or none is not hidden before others: readers find columns by their positions. */
export const render = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width?: number,
  hasColor = false,
  hasHeadings = true,
) => {
  const cell = (text: string) => {
    const line = TerminalText.line(text)
    return width === undefined ? line : SafeText.cut(line, maxLength)
  }
  const cells = [columns.map(({ heading }) => heading), ...rows.map((row) => row.map(cell))]
  const printed = (lines: ReadonlyArray<string>) => (hasHeadings ? lines : lines.slice(1))
  if (width === undefined) return { lines: printed(cells.map((row) => row.join("\t"))), hidden: [] }
  const measured = columns.map((column, index): Fitted => {
    const wanted = cells.reduce((widest, row) => Math.max(widest, stringWidth(row[index] ?? "")), 0)
    return {
      ...column,
      index,
      wanted,
      width: wanted,
      isSame: hasHeadings && rows.length > 1 && rows.every((row) => row[index] === rows[0]?.[index]),
    }
  })
  const canDrop = hasHeadings && width < Infinity && rows.length > 0
  const isEmpty = ({ index }: Fitted) => canDrop && rows.every((row) => row[index] === "")
  const below = measured.filter(({ isBelow }) => isBelow)
  const shown = measured.filter((one) => !below.includes(one) && !(one.hideOrder !== undefined && isEmpty(one)))
  const fitted = fit(shown, width)
  const line = (row: ReadonlyArray<string>, isHeading: boolean) =>
    fitted
      .map(({ color, index, shorten, width }) => {
        const cell = row[index] ?? ""
        const text = Wrap.cut(stringWidth(cell) <= width ? cell : (shorten?.(cell) ?? cell), width)
        return TerminalText.paint(text, hasColor && !isHeading ? color?.(cell) : undefined) + Wrap.padding(text, width)
      })
      .join(gap)
      .trimEnd()
  const linesBelow = (row: ReadonlyArray<string>) =>
    below.flatMap(({ index }) => (row[index] ? Wrap.lines(row[index], width, gap) : []))
  const [headings = [], ...others] = cells
  return {
    lines: printed([line(headings, true), ...others.flatMap((row) => [line(row, false), ...linesBelow(row)])]),
    hidden: shown.filter(({ index }) => fitted.every((column) => column.index !== index)).map(({ heading }) => heading),
  }
}
