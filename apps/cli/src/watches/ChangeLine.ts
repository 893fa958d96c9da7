/** A change as lines of text: time, kind, name of the event or resource, and description. */
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"

export interface Options {
  /** At the end of the line. */
  readonly subscription?: string | undefined
  /** The width of the terminal in cells. Without one, the change is one line. */
  readonly width?: number | undefined
  readonly color?: boolean
}

interface Parts {
  readonly time: string
  readonly tag: string
  readonly name: string
  /** Shorter names are padded to this width, in cells. */
  readonly nameWidth: number
  readonly text: string
  readonly color: TerminalText.Color | undefined
}

/** The fewest cells for the text behind the other columns. */
const minRoom = 36

const narrowIndent = 2

/** Safe for a terminal: one line, or lines that are wrapped at words. */
export const lines = (
  { color, nameWidth, text, ...parts }: Parts,
  { color: hasColor = false, subscription, width }: Options,
): ReadonlyArray<string> => {
  const time = TerminalText.line(parts.time)
  const tag = parts.tag.padEnd("Disappeared".length)
  const name = TerminalText.line(parts.name).padEnd(nameWidth)
  const label = subscription === undefined ? [] : [`[${TerminalText.line(subscription)}]`]
  const all = [text, ...label].filter((part) => part !== "").join(" ")
  const start = [time, tag, name, ""].join("  ").length
  const isNarrow = width !== undefined && width < start + minRoom
  const [first = "", ...rest] = Wrap.lines(all, width, " ".repeat(isNarrow ? narrowIndent : start))
  const head = [time, TerminalText.paint(tag, hasColor ? color : undefined), name].join("  ")
  return isNarrow ? [head.trimEnd(), first, ...rest] : [`${head}  ${first.trimStart()}`.trimEnd(), ...rest]
}
