/** HTML templates that escape every text. */
import * as TerminalText from "../TerminalText.js"

/** JSON cannot contain a symbol, so data never counts as HTML. */
const markup = Symbol("markup")

export interface Html {
  readonly [markup]: string
}

const line = (text: string): string => {
  const safe = TerminalText.line(text)
  if (safe === "") return text === "" ? "" : " "
  return `${/^\s/.test(text) ? " " : ""}${safe}${/\s$/.test(text) ? " " : ""}`
}

/** What `escape` changes: markup, quotes, spaces that repeat or are last, and all but printable ASCII and our own separators. */
const special = /[^ !#-%(-;=?-~·–]| {2}| $/

/** Escapes a text for elements and quoted attributes. Keeps line breaks; removes control and invisible characters. */
const escape = (text: string): string =>
  special.test(text)
    ? text
        .split(/\r\n?|\n/)
        .map(line)
        .join("\n")
        .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    : text

type Value = string | number | Html | ReadonlyArray<Html>

const render = (value: Value): string =>
  typeof value === "string" || typeof value === "number"
    ? escape(String(value))
    : markup in value
      ? value[markup]
      : value.map((one) => one[markup]).join("")

const flush = (piece: string): string => piece.replace(/\n\s*/g, "\n").replace(/\n>/g, ">")

const flushed = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()

const piecesOf = (pieces: TemplateStringsArray): ReadonlyArray<string> => {
  const known = flushed.get(pieces)
  if (known !== undefined) return known
  const own = pieces.map(flush)
  flushed.set(pieces, own)
  return own
}

export const html = (pieces: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html => {
  const [first = "", ...rest] = piecesOf(pieces)
  let text = first
  for (const [index, value] of values.entries()) text += render(value) + (rest[index] ?? "")
  return { [markup]: text }
}

export const nothing: Html = html``

/** Marks a constant as HTML. Never use it for data of a service. */
export const raw = (own: string): Html => ({ [markup]: own })

export const print = (html: Html): string => html[markup]
