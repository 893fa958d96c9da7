/** Texts of a service that would do a terminal or a spreadsheet harm, and what must not be left of them. */
import { few, withTexts } from "./world.js"

const link = "\u001b]8;;http://evil.example\u001b\\Sign in\u001b]8;;\u001b\\"

/** Each by what it tries. */
export const texts = {
  "a script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "colors and cursor moves": "\u001b[31mred\u001b[0m \u001b[2J\u001b[1;1H\u001b[?25l",
  "a link to elsewhere": `${link} \u001b]8;;http://evil.example\u0007x\u001b]8;;\u0007`,
  "a title, and the clipboard": "\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u001bPq#0\u001b\\",
  "controls of eight bits": "\u009b2J\u009d0;owned\u009c\u0085next\u0090q\u009c",
  "a sequence that never ends": "begin \u001b]0;never \u001b[",
  overwriting: "shown\rhidden\b\b\b\b\b\bfake\u007f\u0000\u000b\u000c\u0007",
  "lines of its own": "one\r\nvigil: two\n\n\u2028three\u2029four",
  "another direction": "\u202egnp.exe\u202c \u2066x\u2069 \u200e\u200f\u061c",
  "nothing to see": "a\u200bb\u2060c\ufeffd\u2064e",
  "nothing to see, of other planes":
    "a\u00adb\u034fc\u115fd\u180ee\u3164f\ufff9g\ufffah\ufffbi\u{e0001}j\u{e0041}k\u{e0100}l",
  "half a character": "lone \ud800 and \udc00 end \ud83d",
  "a formula": "=cmd|' /C calc'!A0",
  "a formula by +": "+1+1",
  "a formula by -": "-1+1",
  "a formula by @": "@SUM(A1:A9)",
  "a formula behind a tab": "\t=1+1",
  "a formula behind a return": "\r=1+1",
  "a formula behind a separator": `x;=1+1,"@SUM(A1:A9)| -1+1; +1+1`,
} as const

/** What a terminal obeys or hides, but for the ends of lines. */
const harm =
  // oxlint-disable-next-line no-control-regex -- These are what it looks for.
  /[\u034f\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\u00ad\u115f\u180e\u3164\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u

/** The first harmful character of a text, as an escape, or an empty text. */
export const harmIn = (text: string): string | undefined => {
  const found = harm.exec(text)
  return found === null
    ? undefined
    : `${JSON.stringify(text.slice(Math.max(0, found.index - 20), found.index))} before ${JSON.stringify(found[0])}`
}

/** An event of each type, with this in place of all that they say, and as a field of its own that no document knows. */
export const events = (text: string): ReadonlyArray<object> =>
  withTexts(few, () => text).events.map((event, index) => ({
    ...event,
    name: `AB12-CD${index}`,
    [text]: text,
    properties: { ...event.properties, [text]: { [text]: [text] } },
  }))
