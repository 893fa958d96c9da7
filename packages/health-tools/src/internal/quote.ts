/** Texts of the service for a language model: plain, bounded, and if long in fields whose names begin with `quoted`. */
import * as Labels from "@vigil/health-report/Labels"
import * as PlainHtml from "@vigil/health-report/PlainHtml"

/** Control characters, marks of direction and lone surrogates. Line breaks and tabs stay. */
const unsafe = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])+/gu

/** The text without markup. */
const text = (html: string): string =>
  PlainHtml.text(html)
    .replace(unsafe, " ")
    .replace(/ {2,}/g, " ")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

/** The beginning of a text, without half of a surrogate pair. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, "")

/** The text in pieces. */
export const pieces = (html: string, length: number): ReadonlyArray<string> => {
  const all: Array<string> = []
  for (let rest = text(html); rest !== ""; rest = rest.slice(all.at(-1)?.length)) all.push(cut(rest, length))
  return all
}

/** The text on one line. A longer one is cut, and ends with the number of characters that are missing. */
export const line = (html: string, length: number): string => {
  const all = text(html).replace(/\s+/g, " ")
  return all.length <= length ? all : `${cut(all, length)}… (${all.length - length} more characters)`
}

/** A name that the service chose. */
export const name = (text: string | null | undefined): string => line(text ?? "", 60)

const maxListed = 5

/** The first texts, and how many more there are. */
export const some = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const more = texts.length - maxListed
  return more > 0 ? [...texts.slice(0, maxListed), `${more} more`] : texts
}

/** Some of the distinct names. */
export const names = (all: ReadonlyArray<string>): ReadonlyArray<string> => some(Labels.distinct(all.map(name)))
