/** A table: aligned columns that fit a terminal, or tab-separated cells without one. */
import * as Graphemes from "./Graphemes.js"
import * as TerminalText from "./TerminalText.js"

/** A column, and how it makes room in a narrow terminal. */
export interface Column {
  readonly heading: string
  /** It may shrink to this many cells, the more the wider it is. Without it, it keeps its width. */
  readonly least?: number
  /** It may be left out when shrinking is not enough; the lowest number goes first. Without it, it stays. */
  readonly leaveOut?: number
  /** In which color a cell is shown where there is color. Without it, in none. */
  readonly color?: (cell: string) => TerminalText.Color | undefined
}

const gap = "  "
const ellipsis = "…"

/** Longer cells are cut in an aligned table, in UTF-16 code units: wider than any terminal. */
const longest = 2_000

/** `text` in at most `width` cells. */
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

/** What makes `text` as wide as `width` cells. */
export const padding = (text: string, width: number): string => " ".repeat(Math.max(0, width - Graphemes.width(text)))

/** A column of this table: where its cells are in a row, and how wide it is. */
interface Fitted extends Column {
  readonly index: number
  readonly width: number
}

const excess = (columns: ReadonlyArray<Fitted>, available: number) =>
  columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1)) - available

const roomOf = ({ least, width }: Fitted) => (least === undefined ? 0 : Math.max(0, width - least))

/** Shrinks the columns that may, each by its share of the room that they have, and together no further than they must. */
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

/** Shrinks the columns from the last to the first, each no further than it must: ids and the like come first. */
const squeeze = (columns: ReadonlyArray<Fitted>, available: number): ReadonlyArray<Fitted> =>
  columns.reduceRight<ReadonlyArray<Fitted>>((all, { index, width }) => {
    const taken = Math.min(width - 1, Math.max(0, excess(all, available)))
    return all.map((column) => (column.index === index ? { ...column, width: width - taken } : column))
  }, columns)

/** Which columns are shown in `available` cells, and how wide: shrunk, then fewer, and at last as narrow as it takes. */
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

/** The columns that fit `width` cells, each with its own width. */
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

/** The headings of the columns that `render` leaves out for want of width. */
export const hidden = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width?: number,
): ReadonlyArray<string> => {
  if (width === undefined) return []
  const shown = new Set(layOut(columns, cellsOf(columns, rows, width), width).map(({ heading }) => heading))
  return columns.map(({ heading }) => heading).filter((heading) => !shown.has(heading))
}

/**
 * The lines of the table, headings first. `width` is the terminal's, in cells: columns are aligned and fitted to it. Without a width,
 * for a pipe or a file, a tab separates the cells, and nothing is cut or padded. With `color`, cells have that of their column.
 */
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
