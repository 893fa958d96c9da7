/** Texts of the service for a language model: plain, visible, bounded, and only in fields whose names begin with `quoted`. */
import * as Labels from "@vigil/health-text/Labels"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as SafeText from "@vigil/health-text/SafeText"

/** Joiners and variation selectors: people do not see them, and a sequence of them can encode a text for a model. */
const joining = /[\u200c\u200d]|[\ufe00-\ufe0f]/g

/** Of HTML. The parser slows down with every open element. */
const maxHtml = 50_000

const rest = (count: number): string => `… (${count} more characters)`

/** The text without markup, and how much HTML is left out. */
const text = (html: string) => {
  const read = SafeText.head(html, maxHtml)
  const plain = SafeText.lines(PlainHtml.text(read))
    .replace(joining, "")
    .replace(/ {2,}/g, " ")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
  return { plain, more: html.length - read.length }
}

/** The text in pieces. */
export const pieces = (html: string, length: number): ReadonlyArray<string> => {
  const { more, plain } = text(html)
  const all: Array<string> = []
  for (let left = plain; left !== ""; left = left.slice(all.at(-1)?.length)) all.push(SafeText.head(left, length))
  return more > 0 ? [...all, rest(more)] : all
}

/** The text on one line. A longer one is cut, and ends with the number of characters that are missing. */
export const line = (html: string, length: number): string => {
  const { more, plain } = text(html)
  const all = plain.replace(/\s+/g, " ")
  const shown = SafeText.head(all, length)
  const missing = all.length - shown.length + more
  return missing > 0 ? `${shown}${rest(missing)}` : shown
}

/** An error message on one line. Its `<redacted>` is not an element. */
export const problem = (message: string, length: number): string =>
  line(message.replaceAll("<redacted>", "&lt;redacted>"), length)

/** A name that the service chose. */
export const name = (text: string | null | undefined): string => line(text ?? "", 60)

/** A value of an enumeration that the service may extend: one word, which cannot instruct a model. */
export const word = (text: string | null | undefined): string =>
  /^[a-z]{0,30}$/i.test(text ?? "") ? (text ?? "") : "Other"

/** The length of a value as JSON, with its comma. */
export const lengthOf = (value: unknown): number => JSON.stringify(value).length + 1

/** The first values that fit a length as JSON. */
export const fitting = <A>(all: ReadonlyArray<A>, length: number): ReadonlyArray<A> => {
  let left = length
  const end = all.findIndex((one) => (left -= lengthOf(one)) < 0)
  return end === -1 ? all : all.slice(0, end)
}

/** The distinct names that fit a length, and how many more there are. */
export const names = (all: ReadonlyArray<string>, length: number): ReadonlyArray<string> => {
  const distinct = Labels.distinct(all.map(name))
  const first = fitting(distinct, length)
  return first.length < distinct.length ? [...first, `${distinct.length - first.length} more`] : distinct
}

/** FNV-1a of 64 bits, in 13 characters. */
export const hash = (text: string): string => {
  let value = 0xcbf29ce484222325n
  for (let index = 0; index < text.length; index++)
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n)
  return value.toString(36).padStart(13, "0")
}

/** An ID to pass to a tool: the ID itself, or a substitute if it is long, or could be a text or markup. */
export const id = (exact: string | null | undefined): string => {
  if (exact === null || exact === undefined || /^(?:[\w.:-]{1,100})?$/.test(exact)) return exact ?? ""
  return `~${hash(exact)}`
}
