/** Texts without their escapes, and where each character came from. */

/** A text, and for each of its code units the range of the original that it came from. */
export interface Reading {
  readonly text: string
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

/** Escapes of URLs, JSON and HTML, each of bounded length, or a single character. Text is in lower case here. */
const unit = /%([\da-f]{2})|\\u([\da-f]{4})|\\([nrt"'/\\])|&#x([\da-f]{1,6});|&#(\d{1,7});|&([a-z]{2,8});|[^]/gu

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" }

/** Entities of the characters that tokens consist of, and of those that HTML has to escape. */
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  colon: ":",
  comma: ",",
  equals: "=",
  gt: ">",
  hyphen: "-",
  lowbar: "_",
  lt: "<",
  newline: "\n",
  percnt: "%",
  period: ".",
  plus: "+",
  quot: '"',
  sol: "/",
}

/** Space of any kind, and characters that nobody sees. */
const invisible = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "")

const meaning = ([written, percent, json, plain, hex, decimal, name]: ReadonlyArray<string | undefined>): string => {
  const code = percent ?? json ?? hex
  if (code !== undefined) return fromCode(Number.parseInt(code, 16))
  if (decimal !== undefined) return fromCode(Number(decimal))
  if (plain !== undefined) return controls[plain] ?? plain
  return (name === undefined ? undefined : entities[name]) ?? written ?? ""
}

/** Replaces parts of a reading. What is left is in lower case, and visible. */
const rewrite = (
  { ends, starts, text }: Reading,
  pattern: RegExp,
  replace: (match: ReadonlyArray<string | undefined>) => string,
): Reading => {
  const parts: Array<string> = []
  const from: Array<number> = []
  const to: Array<number> = []
  for (const match of text.matchAll(pattern)) {
    const part = replace(match).toLowerCase().replace(invisible, "")
    parts.push(part)
    for (let index = 0; index < part.length; index++) {
      from.push(starts[match.index] ?? 0)
      to.push(ends[match.index + match[0].length - 1] ?? 0)
    }
  }
  return { text: parts.join(""), starts: from, ends: to }
}

/** The text in lower case and without invisible characters: as it is, with its escapes decoded, and with those decoded again. */
export const readings = (text: string): ReadonlyArray<Reading> => {
  const whole = {
    text,
    starts: Array.from({ length: text.length }, (_, index) => index),
    ends: Array.from({ length: text.length }, (_, index) => index + 1),
  }
  const plain = rewrite(whole, /[^]/gu, ([char = ""]) => char)
  const once = rewrite(plain, unit, meaning)
  return [plain, once, rewrite(once, unit, meaning)]
}
