/** A table: aligned columns on a terminal, tab-separated cells without one. */
import * as Graphemes from "./Graphemes.js"
import * as TerminalText from "./TerminalText.js"

export interface Column {
  readonly heading: string
  /** The minimum width in cells. Without it, the column does not shrink. */
  readonly least?: number
  /** If shrinking is not enough, columns are hidden, lowest number first. Without it, the column stays. */
  readonly leaveOut?: number
  /** The color of a cell on a terminal with color. */
  readonly color?: (cell: string) => TerminalText.Color | undefined
}

const gap = "  "
const ellipsis = "…"

/** In UTF-16 code units: wider than any terminal. */
const longest = 2_000

export const cut = (text: string, width: number): string => {
  if (text.length <= width && Graphemes.width(text) <= width) return text
  let kept = ""
  let used = 0
  for (const segment of Graphemes.of(text)) {
    used += Graphemes.widthOf(segment)
    if (used > width) return kept.trimEnd() + ellipsis
    if (used < width) kept += segment
  }
  return text
}

export const padding = (text: string, width: number): string => " ".repeat(Math.max(0, width - Graphemes.width(text)))

interface Fitted extends Column {
  readonly index: number
  readonly width: number
}

const excess = (columns: ReadonlyArray<Fitted>, available: number) =>
  columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1)) - available

const roomOf = ({ least, width }: Fitted) => (least === undefined ? 0 : Math.max(0, width - least))

/** Shrinks columns in proportion to the space above their minimum. */
const shrink = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> => {
  let left = Math.max(0, excess(columns, available))
  let room = columns.reduce((sum, column) => sum + roomOf(column), 0)
  return columns.map((column) => {
    const own = roomOf(column)
    const taken = room === 0 ? 0 : Math.min(own, Math.round((left * own) / room))
    left -= taken
    room -= own
    return { ...column, width: column.width - taken }
  })
}

/** Shrinks columns from last to first: IDs come first. */
const squeeze = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> =>
  columns.reduceRight<ReadonlyArray<Fitted>>((all, { index, width }) => {
    const taken = Math.min(width - 1, Math.max(0, excess(all, available)))
    return all.map((column) => (column.index === index ? { ...column, width: width - taken } : column))
  }, columns)

const fit = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> => {
  const shrunk = shrink(columns, available)
  if (excess(shrunk, available) <= 0) return shrunk
  const [next] = columns
    .filter(({ leaveOut }) => leaveOut !== undefined)
    .toSorted((a, b) => (a.leaveOut ?? 0) - (b.leaveOut ?? 0))
  return next === undefined
    ? squeeze(shrunk, available)
    : fit(
        columns.filter((column) => column !== next),
        available,
      )
}

const layOut = (
  columns: ReadonlyArray<Column>,
  cells: ReadonlyArray<ReadonlyArray<string>>,
  width: number,
): ReadonlyArray<Fitted> =>
  fit(
    columns.map((column, index) => ({
      ...column,
      index,
      width: cells.reduce((widest, row) => Math.max(widest, Graphemes.width(row[index] ?? "")), 0),
    })),
    width,
  )

const cellsOf = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width: number | undefined,
): ReadonlyArray<ReadonlyArray<string>> => {
  const cell = (text: string) => {
    const line = TerminalText.line(text)
    return width === undefined ? line : Graphemes.head(line, longest)
  }
  return [columns.map(({ heading }) => heading), ...rows.map((row) => row.map(cell))]
}

export const hidden = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width?: number,
): ReadonlyArray<string> => {
  if (width === undefined) return []
  const shown = new Set(layOut(columns, cellsOf(columns, rows, width), width).map(({ heading }) => heading))
  return columns.map(({ heading }) => heading).filter((heading) => !shown.has(heading))
}

/** Renders the table and lists the hidden columns. `width` is in cells; without it, cells are complete and separated by tabs. */
export const render = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width?: number,
  color = false,
): ReadonlyArray<string> => {
  const cells = cellsOf(columns, rows, width)
  if (width === undefined) return cells.map((row) => row.join("\t"))
  const fitted = layOut(columns, cells, width)
  return cells.map((row, line) =>
    fitted
      .map(({ color: of, index, width: room }) => {
        const cell = row[index] ?? ""
        const shown = cut(cell, room)
        const isPainted = color && line > 0
        return TerminalText.paint(shown, isPainted ? of?.(cell) : undefined) + padding(shown, room)
      })
      .join(gap)
      .trimEnd(),
  )
}
