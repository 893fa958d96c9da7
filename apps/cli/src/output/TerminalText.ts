/** Text from a service, made safe for a terminal: nothing in it moves the cursor, hides or reorders what is shown. */
import { stripVTControlCharacters } from "node:util"

/** Controls, separators of lines, bidi controls, and what is invisible; not the joiners, which letters and emoji need. */
const hidden = /[\p{Cc}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** A lone half of a surrogate pair. */
const half = /\p{Cs}/gu

/** One line of plain text: escape sequences are gone, control characters are spaces, runs of spaces are one. */
export const line = (text: string): string =>
  stripVTControlCharacters(text).replace(half, "\ufffd").replace(hidden, " ").replace(/ {2,}/g, " ").trim()
