/** Impact over time as text for a terminal: a bar of blocks per service. */
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as Moment from "@vigil/health-text/Moment"
import * as SafeText from "@vigil/health-text/SafeText"
import * as Severity from "@vigil/health-text/Severity"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import stringWidth from "fast-string-width"
import type { Snapshot } from "./Snapshot.js"
import * as Axis from "./internal/axis.js"
import * as Items from "./internal/items.js"
import * as Lanes from "./internal/lanes.js"
import * as Period from "./internal/period.js"
import * as Resources from "./internal/resources.js"

type Cell = { readonly kind: "issue" | "notice"; readonly severity: Severity.Severity } | undefined

/** Issues are drawn over notices. A bar has at least one cell. */
const cellsOf = ({ issues, notices }: Lanes.Row, count: number): ReadonlyArray<Cell> => {
  const cells = Array.from({ length: count }, (): Cell => undefined)
  for (const [kind, lane] of [["notice", notices] as const, ["issue", issues] as const])
    for (const { end, severity, start } of lane) {
      const first = Math.min(count - 1, Math.floor(start * count))
      for (let index = first; index === first || index < end * count; index++) cells[index] = { kind, severity }
    }
  return cells
}

const blocks: { readonly [S in Severity.Severity]: string } = {
  Critical: "█",
  Error: "▓",
  Warning: "▒",
  Informational: "░",
  Other: "░",
}

const noticeGlyph = "▁"

/** The first cell of an issue is the initial of its level: colors may be missing, and textures are hard to tell apart. */
const glyph = (cell: Cell, previous: Cell): string => {
  if (cell === undefined) return " "
  if (cell.kind === "notice") return noticeGlyph
  const isSame = previous?.kind === "issue" && previous.severity === cell.severity
  return isSame ? blocks[cell.severity] : cell.severity.charAt(0)
}

const textOf = (cells: ReadonlyArray<Cell>, color: boolean): string => {
  let [line, run] = ["", ""]
  for (const [index, cell] of cells.entries()) {
    run += glyph(cell, cells[index - 1])
    if (cells[index + 1]?.severity === cell?.severity) continue
    line += TerminalText.paint(run, color && cell !== undefined ? Severity.color(cell.severity) : undefined)
    run = ""
  }
  return line
}

/** How lines are drawn. @category models @since 0.2.0 */
export interface Style {
  /** The maximum width, in cells. */
  readonly width: number
  readonly color: boolean
}

const gap = 2

const labelRoom = 10

/** In UTF-16 code units: wider than any terminal. */
const maxLength = 2_000

const label = (name: string, otherwise: string) => {
  const text = TerminalText.line(SafeText.cut(name, maxLength))
  return text === "" ? otherwise : text
}

const axis = (period: Period.Period, count: number): readonly [labels: string, marks: string] => {
  const cell = (position: number) => Math.max(0, Math.min(count - 1, Math.floor(position * count)))
  const ticks = Axis.ticks(period, Math.max(1, Math.floor(count / labelRoom)))
  const marked = new Set(ticks.map(({ position }) => cell(position)))
  const now = period.to > period.now ? cell(Period.share(period, period.now)) : undefined
  const marks = Array.from({ length: count }, (_, index) => (index === now ? "┃" : marked.has(index) ? "┬" : "─")).join(
    "",
  )
  const labels = ticks.reduce((text, { label, position }) => {
    const place = Math.max(0, Math.min(count - label.length, cell(position)))
    return text === "" || place > text.length ? text.padEnd(place) + label : text
  }, "")
  return [labels, marks]
}

const legend = (color: boolean): ReadonlyArray<string> => {
  const key = (cell: Exclude<Cell, undefined>, name: string) =>
    `${textOf(cell.kind === "issue" ? [cell, cell] : [cell], color)} ${name}`
  return [
    ...Severity.all.slice(0, 4).map((severity) => key({ kind: "issue", severity }, severity.toLowerCase())),
    key({ kind: "notice", severity: "Informational" }, "notice"),
  ]
}

const head = ({ from, now, to }: Period.Period): ReadonlyArray<string> => [
  `${Moment.minute(from)} UTC`,
  `to ${Moment.minute(to)} UTC`,
  ...(to > now ? ["┃ is now"] : []),
]

/** The impact of an event, `item.event`, on one service in one region. Without services, the names are empty. @category models @since 0.2.0 */
export type Impact = Items.Impact

/** Returns the impacts of events, in their order. @category conversions @since 0.2.0 */
export const impacts = (events: ReadonlyArray<AnyEvent>): ReadonlyArray<Impact> =>
  Items.make(events).flatMap(Items.impacts)

/**
 * Draws the impacts of a snapshot, except those without a start. Planned impact follows the mark of the current time. The resources that are not
 * available come last.
 * @category rendering @since 0.2.0
 */
export const lines = (snapshot: Snapshot, { color, width }: Style): ReadonlyArray<string> => {
  const { events, from, now } = snapshot
  const dated = impacts(events).filter(Items.isDated)
  const period = Period.make(from, now, dated)
  const all = Lanes.rows(period, dated).map((row) => ({ ...row, name: label(row.service, "(no service)") }))
  const widest = all.reduce((most, { name }) => Math.max(most, stringWidth(name)), 0)
  const room = Math.min(widest, Math.max(8, Math.floor(width * 0.3)))
  const count = Math.max(1, width - room - gap)
  const indent = " ".repeat(room + gap)
  const [labels, marks] = axis(period, count)
  return [
    ...Wrap.flow(head(period), " ", width),
    "",
    `${indent}${labels}`,
    `${indent}${marks}`,
    ...all.map((row) => {
      const cut = Wrap.cut(row.name, room)
      return `${cut}${Wrap.padding(cut, room + gap)}${textOf(cellsOf(row, count), color)}`.trimEnd()
    }),
    "",
    ...Wrap.flow(legend(color), "  ", width),
    ...Resources.lines(snapshot, width),
  ]
}
