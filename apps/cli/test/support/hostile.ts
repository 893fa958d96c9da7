/** Texts of a service that attack a terminal or a spreadsheet, and a check for harmful output. */
import { onePerType, replaceTexts } from "@vigil/testing/snapshots"

const link = "\u001b]8;;http://evil.example\u001b\\Sign in\u001b]8;;\u001b\\"

/** Attacks by name. */
export const texts = {
  "a script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "colors and cursor moves": "\u001b[31mred\u001b[0m \u001b[2J\u001b[1;1H\u001b[?25l",
  "a hidden link": `${link} \u001b]8;;http://evil.example\u0007x\u001b]8;;\u0007`,
  "a window title and the clipboard": "\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u001bPq#0\u001b\\",
  "8-bit control characters": "\u009b2J\u009d0;owned\u009c\u0085next\u0090q\u009c",
  "an unterminated sequence": "begin \u001b]0;never \u001b[",
  "overwritten text": "shown\rhidden\b\b\b\b\b\bfake\u007f\u0000\u000b\u000c\u0007",
  "additional lines": "one\r\nvigil: two\n\n\u2028three\u2029four",
  "text direction": "\u202egnp.exe\u202c \u2066x\u2069 \u200e\u200f\u061c",
  "invisible characters": "a\u200bb\u2060c\ufeffd\u2064e",
  "more invisible characters":
    "a\u00adb\u034fc\u115fd\u180ee\u3164f\ufff9g\ufffah\ufffbi\u{e0001}j\u{e0041}k\u{e0100}l",
  "unpaired surrogates": "lone \ud800 and \udc00 end \ud83d",
  "a formula": "=cmd|' /C calc'!A0",
  "a formula with +": "+1+1",
  "a formula with -": "-1+1",
  "a formula with @": "@SUM(A1:A9)",
  "a formula after a tab": "\t=1+1",
  "a formula after a carriage return": "\r=1+1",
  "a formula after a separator": `x;=1+1,"@SUM(A1:A9)| -1+1; +1+1`,
} as const

/** Control and invisible characters, except line feeds. */
const harm =
  // oxlint-disable-next-line no-control-regex -- Finds control characters.
  /[\u034f\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\u00ad\u115f\u180e\u3164\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u

/** Returns the first harmful character of a text and the text before it, or `undefined`. */
export const findHarm = (text: string): string | undefined => {
  const found = harm.exec(text)
  return found === null
    ? undefined
    : `${JSON.stringify(text.slice(Math.max(0, found.index - 20), found.index))} before ${JSON.stringify(found[0])}`
}

/** One event per type, with all texts replaced by `text`, and with an unknown field of that name and value. */
export const events = (text: string): ReadonlyArray<object> =>
  replaceTexts(onePerType, () => text).events.map((event, index) => ({
    ...event,
    name: `AB12-CD${index}`,
    [text]: text,
    properties: { ...event.properties, [text]: { [text]: [text] } },
  }))
