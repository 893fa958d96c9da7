/** Text from a service, made safe for a terminal: nothing in it moves the cursor, hides or reorders what is shown. */
/** Escape sequences (ECMA-48). Linear, unlike `stripVTControlCharacters` of Node 20: no control character is in the middle of one. */
const sequence =
  // oxlint-disable-next-line no-control-regex -- These are what it looks for.
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])\P{Cc}*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/gu

/** Controls, separators of lines, bidi controls, and what is invisible; not the joiners, which letters and emoji need. */
const hidden = /[\p{Cc}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** A lone half of a surrogate pair. */
const half = /\p{Cs}/gu

/** One line of plain text: escape sequences are gone, control characters are spaces, runs of spaces are one. */
export const line = (text: string): string =>
  text.replace(sequence, "").replace(half, "\ufffd").replace(hidden, " ").replace(/ {2,}/g, " ").trim()
