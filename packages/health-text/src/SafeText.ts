/** Texts of services that are safe to show: without characters that hide or reorder text, and no longer than their place. */
import { identity } from "effect/Function"
import * as Characters from "./internal/characters.js"

/** Without line feeds, which are safe in a text of several lines. */
const control = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu

/** Invisible characters and bidi controls, except joiners and variation selectors, which letters and emoji need. */
const invisible = /(?![\ufe00-\ufe0f]|[\u200c\u200d])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu

/**
 * Removes invisible characters and bidi controls, turns other control characters into spaces, and replaces unpaired surrogates. Keeps line
 * feeds, joiners and variation selectors.
 * @category conversions @since 0.2.0
 */
export const visible = (text: string): string => text.toWellFormed().replace(invisible, "").replace(control, " ")

const lineBreak = /\r\n?|[\u0085\u2028\u2029]/g

/** Like `visible`: every line break becomes a line feed, and white space around the text is removed. @category conversions @since 0.2.0 */
export const lines = (text: string): string => visible(text.replace(lineBreak, "\n")).trim()

/** Like `lines`, in one line: runs of white space become one space. @category conversions @since 0.2.0 */
export const line = (text: string): string => lines(text).replace(/\s+/g, " ")

/** Only this many code units around the end are segmented, because `Intl.Segmenter` is slow for long texts. */
const window = 64

/**
 * Returns the whole characters at the beginning of a text, in at most `length` UTF-16 code units. A character of more than 64 code units may be
 * split, but not within a surrogate pair.
 * @category conversions @since 0.2.0
 */
export const head = (text: string, length: number): string => {
  if (text.length <= length) return text
  const start = Math.max(0, length - window)
  let end = start
  for (const character of Characters.make(text.slice(start, length + window))) {
    if (end + character.length > length) break
    end += character.length
  }
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, "")
}

/**
 * Returns a text of at most `length` UTF-16 code units: the text itself, or its `head` and an ellipsis. Replaces unpaired surrogates.
 * @category conversions @since 0.2.0
 */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text.toWellFormed() : `${head(text, Math.max(0, length - 1)).toWellFormed()}…`

/**
 * Makes the lines of a text safe, and escapes them. Cuts the text first, so that no escape sequence is cut and the result has the largest
 * `size` up to `limit`. The default of `size` is the number of UTF-16 code units.
 * @category conversions @since 0.2.0
 */
export const fit = (
  text: string,
  limit: number,
  escape: (text: string) => string = identity,
  size = (escaped: string) => escaped.length,
): string => {
  const shorten = (length: number) => escape(lines(cut(text, length)))
  const whole = shorten(limit)
  if (size(whole) <= limit) return whole
  let [fitting, exceeding] = [0, limit]
  while (exceeding - fitting > 1) {
    const length = Math.floor((fitting + exceeding) / 2)
    if (size(shorten(length)) <= limit) fitting = length
    else exceeding = length
  }
  return shorten(fitting)
}
