/** Texts of the service for a language model: plain, bounded, and in fields whose names begin with `quoted`. */
import * as PlainHtml from "@vigil/health-report/PlainHtml"

/** Control characters, marks of direction and lone surrogates. Line breaks and tabs stay. */
const unsafe = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])+/gu

/** The text without markup. */
export const text = (html: string): string =>
  PlainHtml.text(html)
    .replace(unsafe, " ")
    .replace(/ {2,}/g, " ")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

/** The beginning of a text, without half of a surrogate pair. */
export const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, "")

/** The text on one line. A longer one is cut, and ends with the number of characters that are missing. */
export const line = (html: string, length: number): string => {
  const all = text(html).replace(/\s+/g, " ")
  return all.length <= length ? all : `${cut(all, length)}… (${all.length - length} more characters)`
}
