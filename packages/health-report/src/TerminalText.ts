/** Text for a terminal: removes everything that moves the cursor or hides text, and adds colors. */
/** Escape sequences (ECMA-48), with the texts of OSC, DCS, PM and APC, which `stripVTControlCharacters` keeps. */
const sequence =
  // oxlint-disable-next-line no-control-regex -- The expression finds control characters.
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])\P{Cc}*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/gu

const control = /[\p{Cc}\p{Zl}\p{Zp}]/gu

/** Invisible characters and bidi controls, except joiners and variation selectors, which letters and emoji need. */
const invisible = /(?![\ufe00-\ufe0f]|[\u200c\u200d])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu

/** Returns plain text in one line: removes escape sequences and invisible characters, and turns control characters into spaces. @category conversions @since 0.2.0 */
export const safe = (text: string): string =>
  text.replace(sequence, "").toWellFormed().replace(invisible, "").replace(control, " ")

/** Like `safe`, for a text of the service: runs of spaces become one space, and those around it are removed. @category conversions @since 0.2.0 */
export const line = (text: string): string => safe(text).replace(/ {2,}/g, " ").trim()

/** Returns the first `length` UTF-16 code units and an ellipsis, without half a surrogate pair. @category conversions @since 0.2.0 */
export const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…` : text

const codes = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", magenta: "1;35" }

/** A color or weight of text. @category models @since 0.2.0 */
export type Color = keyof typeof codes

/** Adds a color to a text that is not empty. @category conversions @since 0.2.0 */
export const paint = (text: string, color: Color | undefined): string =>
  color === undefined || text === "" ? text : `\u001b[${codes[color]}m${text}\u001b[0m`
