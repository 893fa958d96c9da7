/** A lane as cells of a terminal: in each the gravest of what falls into it. */
import * as Severity from "../events/Severity.js"
import type { Lane } from "./Lanes.js"

/** What a cell shows: nothing, trouble, or a notice, each by its level. */
export type Cell = { readonly kind: "issue" | "notice"; readonly severity: Severity.Severity } | undefined

/** The cells from the first to the last that a bar touches. One that begins where the last cell ends is in the last. */
const touches = (cells: number, { end, start }: { readonly end: number; readonly start: number }, index: number) =>
  Math.min(cells - 1, Math.floor(start * cells)) <= index && (end * cells > index || start * cells >= index)

const at = (lane: Lane, cells: number, index: number): Severity.Severity | undefined => {
  const bars = lane.filter((bar) => touches(cells, bar, index))
  return bars.length === 0 ? undefined : Severity.worst(bars.map(({ severity }) => severity))
}

/** So many cells; trouble hides notices. */
export const of = (issues: Lane, notices: Lane, count: number): ReadonlyArray<Cell> =>
  Array.from({ length: count }, (_, index) => {
    const issue = at(issues, count, index)
    if (issue !== undefined) return { kind: "issue", severity: issue }
    const notice = at(notices, count, index)
    return notice && { kind: "notice", severity: notice }
  })

/** The glyph of each level, from the fullest. */
const blocks: { readonly [S in Severity.Severity]: string } = {
  Critical: "█",
  Error: "▓",
  Warning: "▒",
  Informational: "░",
  Other: "░",
}

/** How a notice looks, whatever its level. */
const noticeGlyph = "▁"

const glyph = (cell: Cell): string =>
  cell === undefined ? " " : cell.kind === "notice" ? noticeGlyph : blocks[cell.severity]

/** The colour of each level, as a terminal's SGR parameters. */
const colours: { readonly [S in Severity.Severity]: string } = {
  Critical: "1;31",
  Error: "31",
  Warning: "33",
  Informational: "34",
  Other: "2",
}

/** Cells as text; coloured, each run of a level in one go. */
export const text = (cells: ReadonlyArray<Cell>, colour: boolean): string => {
  if (!colour) return cells.map(glyph).join("")
  let [line, current] = ["", ""]
  for (const cell of cells) {
    const next = cell === undefined ? "" : colours[cell.severity]
    if (next !== current) line += `${current === "" ? "" : "\u001b[0m"}${next === "" ? "" : `\u001b[${next}m`}`
    current = next
    line += glyph(cell)
  }
  return current === "" ? line : `${line}\u001b[0m`
}
