/** HTML templates that escape every text, and times. */
import type * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"

/** A class, so that data of a service never counts as HTML. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** What `escape` changes: markup, quotes, and all but line breaks, printable ASCII and our own separators. */
const special = /[^\n !#-%(-;=?-~·–]/

/** In UTF-16 code units. A browser takes minutes for a text of megabytes. */
const maxLength = 100_000

/** More combining marks than a character of any language has. They would cover other texts. */
const stacked = /([\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]+/gu

/** Escapes a text for elements and quoted attributes. Keeps line breaks; removes control and invisible characters, and the end of long texts. */
const escape = (whole: string): string => {
  const text = SafeText.cut(whole, maxLength)
  return special.test(text)
    ? text
        .split(/\r\n?|\n/)
        .map(TerminalText.safe)
        .join("\n")
        .replace(stacked, "$1")
        .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    : text
}

type Value = string | number | Html | ReadonlyArray<Html>

const render = (value: Value): string => {
  if (typeof value === "string") return escape(value)
  if (value instanceof Html) return value.markup
  if (typeof value === "number") return String(value)
  return value.map(({ markup }) => markup).join("")
}

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
  const own = piecesOf(pieces)
  let text = own[0] ?? ""
  for (let index = 0; index < values.length; index += 1) text += render(values[index] ?? "") + (own[index + 1] ?? "")
  return new Html(text)
}

export const nothing: Html = html``

export const time = (millis: number, format: (millis: number) => string = Moment.minute): Html =>
  html`<time datetime="${new Date(millis).toISOString()}">${format(millis)}</time>`

/** One without an instant is shown as sent. */
export const timestamp = (sent: Timestamp.Timestamp | null | undefined, millis = Moment.parse(sent)): Html =>
  millis === undefined ? html`${Labels.orElse(sent, "unknown")}` : time(millis)
