/** Breaks long texts into lines that fit the terminal. */
import stringWidth from "fast-string-width"
import * as Characters from "./internal/characters.js"
import * as SafeText from "./SafeText.js"
import * as TerminalText from "./TerminalText.js"

/** In UTF-16 code units. */
const maxLength = 100_000

const minWidth = 12

/** URLs are not broken, so that they can be opened. */
const isUrl = (word: string): boolean => /^\W?https?:\/\//i.test(word)

const pieces = (word: string, width: number): ReadonlyArray<string> => {
  if (isUrl(word) || stringWidth(word) <= width) return [word]
  const all: Array<string> = []
  let piece = ""
  let used = 0
  for (const character of Characters.make(word)) {
    const next = stringWidth(character)
    if (used + next > width) {
      all.push(piece)
      piece = ""
      used = 0
    }
    piece += character
    used += next
  }
  return [...all, piece]
}

/** Joins pieces into lines of at most `width` cells. A piece that is wider has a line of its own. @category conversions @since 0.2.0 */
export const flow = (pieces: ReadonlyArray<string>, between: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const piece of pieces) {
    const joined = `${lines.at(-1)}${between}${piece}`
    if (lines.length === 0 || stringWidth(joined) > width) lines.push(piece)
    else lines.splice(-1, 1, joined)
  }
  return lines
}

const wrapLine = (line: string, width: number | undefined, indent: string): ReadonlyArray<string> => {
  const text = TerminalText.line(line)
  const [{ length: leading }] = /^ {0,8}/.exec(line) ?? [""]
  const [{ length: bullet }] = /^(?:[-*•] |\d{1,3}[.)] )?/.exec(text) ?? [""]
  const first = indent + " ".repeat(leading)
  const next = first + " ".repeat(bullet)
  if (width === undefined) return [first + text]
  const room = Math.max(minWidth, width - next.length)
  const words = text
    .slice(bullet)
    .split(" ")
    .flatMap((word) => pieces(word, room))
  return flow(words, " ", room).map((part, index) => (index === 0 ? first + text.slice(0, bullet) + part : next + part))
}

/** Returns the text, or its beginning and an ellipsis, in at most `width` cells. @category conversions @since 0.2.0 */
export const cut = (text: string, width: number): string => {
  if (text.length <= width && stringWidth(text) <= width) return text
  let head = ""
  let used = 0
  for (const character of Characters.make(text)) {
    used += stringWidth(character)
    if (used > width) return `${head.trimEnd()}…`
    if (used < width) head += character
  }
  return text
}

/** Returns the text in one line of at most `width` cells, safe for a terminal. @category conversions @since 0.2.0 */
export const line = (text: string, width: number): string => cut(TerminalText.line(text), width)

/** Returns the spaces that follow a text in a column of `width` cells. @category conversions @since 0.2.0 */
export const padding = (text: string, width: number): string => " ".repeat(Math.max(0, width - stringWidth(text)))

/**
 * Returns the lines of a text, safe for a terminal. Keeps its line breaks and indentation, and joins empty lines. `width` is in cells; without
 * it, lines are not broken.
 * @category conversions @since 0.2.0
 */
export const lines = (text: string, width: number | undefined, indent = ""): ReadonlyArray<string> => {
  const wrapped = (width === undefined ? text : SafeText.cut(text, maxLength))
    .split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)
    .flatMap((line) => (TerminalText.line(line) === "" ? [""] : wrapLine(line, width, indent)))
  return wrapped
    .slice(
      wrapped.findIndex((line) => line !== ""),
      wrapped.findLastIndex((line) => line !== "") + 1,
    )
    .filter((line, index, all) => line !== "" || all[index - 1] !== "")
}
