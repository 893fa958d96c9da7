/** HTML that is written by hand, with every text in it escaped: what is not made here is text. */
import * as TerminalText from "../output/TerminalText.js"

/** No JSON can carry it: only what is made here counts as HTML. */
const markup = Symbol("markup")

/** A piece of HTML. */
export interface Html {
  readonly [markup]: string
}

/** Safe, with the space at either end that it may need beside what stands there. */
const line = (text: string): string => {
  const safe = TerminalText.line(text)
  if (safe === "") return text === "" ? "" : " "
  return `${/^\s/.test(text) ? " " : ""}${safe}${/\s$/.test(text) ? " " : ""}`
}

/** Most texts are numbers, names of classes and the like, which stay as they are. */
const plain = /^[\w.,:%#-]*$/

/**
 * Any text as HTML, in an element or between the double quotes of an attribute. Its lines stay; control characters, bidi
 * controls, what is invisible, and lone surrogates don't, and runs of spaces are one.
 */
const escape = (text: string): string =>
  plain.test(text)
    ? text
    : text
        .split(/\r\n?|\n/)
        .map(line)
        .join("\n")
        .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

type Value = string | number | Html | ReadonlyArray<Html>

const render = (value: Value): string =>
  typeof value === "string" || typeof value === "number"
    ? escape(String(value))
    : markup in value
      ? value[markup]
      : value.map((one) => one[markup]).join("")

/** How the source is indented, and its tags are broken, is not how the file is. */
const flush = (piece: string): string => piece.replace(/\n\s*/g, "\n").replace(/\n>/g, ">")

/** The pieces of each template, flushed once. */
const flushed = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()

const piecesOf = (pieces: TemplateStringsArray): ReadonlyArray<string> => {
  const known = flushed.get(pieces)
  if (known !== undefined) return known
  const own = pieces.map(flush)
  flushed.set(pieces, own)
  return own
}

/** Pieces of HTML, and between them texts, which are escaped, and other HTML, which is not. */
export const html = (pieces: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html => {
  const [first = "", ...rest] = piecesOf(pieces)
  let text = first
  for (const [index, value] of values.entries()) text += render(value) + (rest[index] ?? "")
  return { [markup]: text }
}

/** No HTML at all. */
export const nothing: Html = html``

/** Our own text that is HTML, or the content of a style or a script: never one of a service. */
export const raw = (own: string): Html => ({ [markup]: own })

/** HTML as text. */
export const print = (html: Html): string => html[markup]
