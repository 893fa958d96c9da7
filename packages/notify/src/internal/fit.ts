/** Cleans, cuts and escapes texts for a target. */
import { identity } from "effect/Function"
import * as Hash from "effect/Hash"

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Only this many code units around the end are segmented, because `Intl.Segmenter` is slow for long texts. */
const window = 64

/** Cuts a text to `length` UTF-16 code units, with an ellipsis. Does not split a character, and replaces unpaired surrogates. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text.toWellFormed()
  const last = Math.max(0, length - 1)
  const start = Math.max(0, last - window)
  const boundaries = Array.from(segmenter.segment(text.slice(start, last + window)), ({ index }) => start + index)
  const end = boundaries.findLast((index) => index <= last)
  return `${text.slice(0, end).toWellFormed()}…`
}

const lineBreak = /\r\n?|[\u0085\u2028\u2029]/g

/** Control characters, and those that change the direction of the text after them. */
const unsafe = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

export const clean = (text: string): string => text.replace(lineBreak, "\n").replace(unsafe, " ").trim()

export const singleLine = (text: string): string => clean(text).replace(/\s+/g, " ")

/** Cleans and escapes a text. Cuts it first, so that the result has the largest `size` up to `limit`, and no escape sequence is cut. */
export const fit = (
  text: string,
  limit: number,
  escape: (text: string) => string = identity,
  size = (escaped: string) => escaped.length,
): string => {
  const shorten = (length: number) => escape(clean(cut(text, length)))
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

/** 16 hexadecimal digits. */
export const hash = (text: string): string =>
  [text, `${text.length}${text}`].map((part) => (Hash.string(part) >>> 0).toString(16).padStart(8, "0")).join("")

/** Cuts a key. Different keys stay different: a hash replaces the end. */
export const fitKey = (key: string, limit: number): string =>
  key.length <= limit ? cut(key, limit) : `${cut(key, limit - 17)}-${hash(key)}`
