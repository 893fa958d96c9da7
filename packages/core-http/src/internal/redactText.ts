/** Removes secrets from text of others before it goes into an error. */
import * as Origin from "../Origin.js"
import * as PlainText from "../PlainText.js"
import { readings } from "./escapes.js"

/** Whoever has a paging token can read the list. */
const skipToken = /(\$|%24)skipToken=[^&\s"']*/gi

/** Fewer characters of base64 are found in any text. */
const minBase64 = 8

/** The bytes of a text in UTF-8, a character each. */
const bytesOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("")

/** What base64 of any text that holds these bytes contains, at its end too: by how many bytes stand before them, modulo three. */
const base64 = (bytes: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((before) => {
    const length = ((before + bytes.length) * 8) / 6
    const written = btoa("\0".repeat(before) + bytes)
    return [Math.floor(length), Math.ceil(length), written.length].flatMap((end) => {
      const part = written.slice(Math.ceil((before * 8) / 6), end)
      return part.length < minBase64 ? [] : [part, part.replaceAll("+", "-").replaceAll("/", "_")]
    })
  })

/** The ways to write a secret that differ in more than escapes, letter case and invisible characters. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = bytesOf(secret)
  return [secret, bytes, ...base64(bytes)]
}

type Range = readonly [start: number, end: number]

/** Where the secrets are in a text. */
const find = (text: string, secrets: ReadonlyArray<string>): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  const texts = readings(text)
  const forms = secrets.flatMap((secret) =>
    formsOf(secret)
      .flatMap((form) => readings(form).map((one) => one.text))
      // What is left of a short secret without its escapes may be found everywhere.
      .filter((form) => form !== "" && form.length >= Math.min(secret.length, 4)),
  )
  for (const form of new Set(forms)) {
    for (const { ends, starts, text } of texts)
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length))
        found.push([starts[at] ?? 0, ends[at + form.length - 1] ?? 0])
  }
  return found.toSorted(([a], [b]) => a - b)
}

const cut = (text: string, ranges: ReadonlyArray<Range>): string => {
  let [rest, kept] = [0, ""]
  for (const [start, end] of ranges) {
    if (start >= rest) kept += `${text.slice(rest, start)}<redacted>`
    rest = Math.max(rest, end)
  }
  return kept + text.slice(rest)
}

/**
 * The text on one line, without the secrets, cut to `length`. A secret is found in any letter case, with escapes of URLs, JSON
 * and HTML, in base64, and with invisible characters inside. Other encodings are not.
 */
export const redactText = (text: string, secrets: ReadonlyArray<string>, length: number): string => {
  const bare = secrets.length === 0 ? text : cut(text, find(text, secrets))
  return PlainText.line(bare.replaceAll(skipToken, "$skipToken=<redacted>"), length)
}

/** The text with each http(s) URL reduced to its origin. */
export const withoutPaths = (text: string): string =>
  text.replaceAll(/\bhttps?:\/\/[^\s"'<>]+/gi, (url) => Origin.parseUrl(url)?.origin ?? "<url>")
