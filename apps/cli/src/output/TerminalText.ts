/** Text for a terminal: text of a service made safe, so that it cannot move the cursor or hide other text, and colors. */
/** Escape sequences (ECMA-48). Linear, unlike `stripVTControlCharacters` of Node 20: no control character is in the middle of one. */
const sequence =
  // oxlint-disable-next-line no-control-regex -- These are what it looks for.
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])\P{Cc}*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/gu

/** Controls, and separators of lines. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/gu

/** Invisible characters and bidi controls; not the joiners and variation selectors, which letters and emoji need. */
const invisible = /(?![\ufe00-\ufe0f]|[\u200c\u200d])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu

/** A lone half of a surrogate pair. */
const half = /\p{Cs}/gu

/** One line of plain text, without escape sequences and invisible characters. Control characters are spaces, runs of spaces are one. */
export const line = (text: string): string =>
  text
    .replace(sequence, "")
    .replace(half, "\ufffd")
    .replace(invisible, "")
    .replace(control, " ")
    .replace(/ {2,}/g, " ")
    .trim()

/** Codes of colors and styles (ECMA-48, SGR). */
const codes = { bold: "1", dim: "2", red: "31", yellow: "33" }

/** A color or style. */
export type Color = keyof typeof codes

/** A text that is safe already, in this color. Without a color or a text, it stays as it is. */
export const paint = (text: string, color: Color | undefined): string =>
  color === undefined || text === "" ? text : `\u001b[${codes[color]}m${text}\u001b[0m`
