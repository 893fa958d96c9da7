/** The last lines of a program's stderr, as one line, without secrets. */
import * as PlainText from "@vigil/core-http/PlainText"
import { escape } from "effect/RegExp"
import * as TerminalText from "../output/TerminalText.js"

const hidden = "(hidden)"

/** A value that its name calls a secret. */
const named = /((?:token|secret|passw(?:or)?d|credential|api-?key)s?["']?\s*[:=]\s*["']?)[^\s"',;]+/gi

/** The characters of a bearer token (RFC 6750, 2.1). Shorter texts are words, codes and names. */
const word = /[\w.~+/-]{16,}=*/g

/** Words and paths have no digits, and capitals at their start only. */
const isRandom = (text: string): boolean => /\d|[a-z][A-Z]/.test(text)

const maxLines = 3
const maxLength = 300

/** Texts that are hidden wherever they occur. */
interface Hidden {
  /** The token that the program printed on stdout. */
  readonly token?: string | undefined
  /** The arguments of the program, which may be secrets. */
  readonly args?: ReadonlyArray<string>
}

/** Shorter ones are flags such as `-o`, and would match everywhere. */
const minArgument = 4

const formsOf = ({ args = [], token = "" }: Hidden): ReadonlyArray<string> => [
  token,
  // Programs repeat `--name=value` as a whole or without its name, and an argument of several lines line by line.
  ...args
    .flatMap((argument) => [argument, argument.replace(/^[^=]*=/, "")])
    .flatMap((text) => text.split(/[\r\n]+/))
    .map(TerminalText.line)
    .filter(({ length }) => length >= minArgument),
]

const hide = (text: string, hiddenTexts: Hidden): string => {
  const pattern = formsOf(hiddenTexts)
    .filter((form) => form !== "")
    // Longest first, because one text may contain another.
    .toSorted((a, b) => b.length - a.length)
    .map(escape)
    .join("|")
  return pattern === "" ? text : text.replace(new RegExp(pattern, "g"), hidden)
}

export const excerpt = (stderr: string, hiddenTexts: Hidden = {}): string => {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => TerminalText.line(line).trim())
    .filter((line) => line !== "")
  return PlainText.toSingleLine(
    hide(lines.slice(-maxLines).join(" "), hiddenTexts)
      .replace(named, `$1${hidden}`)
      .replace(word, (text) => (isRandom(text) ? hidden : text)),
    maxLength,
  )
}
