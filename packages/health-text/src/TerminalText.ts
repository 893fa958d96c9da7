/** Text for a terminal: removes everything that moves the cursor or hides text, and adds colors. */
import * as SafeText from "./SafeText.js"

/** Escape sequences (ECMA-48), with the texts of OSC, DCS, PM and APC, which `stripVTControlCharacters` keeps. */
const sequence =
  // oxlint-disable-next-line no-control-regex -- The expression finds control characters.
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])\P{Cc}*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/gu

/** Returns plain text in one line: removes escape sequences and invisible characters, and turns control characters into spaces. @category conversions @since 0.2.0 */
export const safe = (text: string): string => SafeText.visible(text.replace(sequence, "")).replaceAll("\n", " ")

/** Like `safe`, for a text of the service: runs of spaces become one space, and those around it are removed. @category conversions @since 0.2.0 */
export const line = (text: string): string => safe(text).replace(/ {2,}/g, " ").trim()

const codes = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", magenta: "1;35" }

/** A color or weight of text. @category models @since 0.2.0 */
export type Color = keyof typeof codes

/** Adds a color to a text that is not empty. @category conversions @since 0.2.0 */
export const paint = (text: string, color: Color | undefined): string =>
  color === undefined || text === "" ? text : `\u001b[${codes[color]}m${text}\u001b[0m`
