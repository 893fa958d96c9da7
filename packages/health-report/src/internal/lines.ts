/** Parts of a text for a terminal: facts in two columns, headings and sections. */
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"

export type Lines = ReadonlyArray<string>

/** The maximum width, in cells. Without it, lines are not broken. */
export interface Layout {
  readonly width: number | undefined
  readonly color: boolean
}

const labelWidth = 22

export const indent = "  "

/** A label and a value, which may need more lines. */
export const fact = ([label, value]: readonly [string, string], { width }: Layout): Lines => {
  const name = TerminalText.line(label)
  const [first = "", ...rest] = Wrap.lines(value.replaceAll(/\s+/g, " "), width, " ".repeat(labelWidth))
  return name.length < labelWidth
    ? [name.padEnd(labelWidth) + first.trimStart(), ...rest]
    : [...Wrap.lines(name, width), first, ...rest]
}

export const heading = (text: string, { color, width }: Layout): Lines =>
  Wrap.lines(text.replaceAll(/\s+/g, " "), width).map((line) => TerminalText.paint(line, color ? "bold" : undefined))

/** Nothing without lines. */
export const section = (title: string, lines: Lines, options: Layout): Lines =>
  lines.length === 0 ? [] : ["", ...heading(title, options), ...lines]
