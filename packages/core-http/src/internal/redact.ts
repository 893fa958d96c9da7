/** Removes secrets from text, URLs and errors before they are shown. */
import * as Predicate from "effect/Predicate"
import * as PlainText from "../PlainText.js"

/** Query parameters with public values. Any other value may be a secret. */
const publicParameters = new Set(["api-version", "$filter", "querystarttime"])

/** A parameter of a query: its name, its value, and the delimiter before it. A link may have a second `?`. */
const parameter = /([?&])([^?&=]*)=([^?&]*)/g

const decode = (value: string): string => new URLSearchParams(`_=${value}`).get("_") ?? ""

/** Whether a value is public, and not another query in disguise. */
const isPublic = (name: string, value: string): boolean =>
  publicParameters.has(decode(name).toLowerCase()) && !/[?&=#]/.test(decode(value))

/** The URL without the values of its query that may be secrets. */
export const redactUrl = ({ origin, pathname, search }: URL): string =>
  origin +
  pathname +
  search.replace(parameter, (all, start: string, name: string, value: string) =>
    isPublic(name, value) ? all : `${start}${name}=REDACTED`,
  )

/** The values of the query that may be secrets, as written and decoded. Shorter ones would be found everywhere. */
export const secretsOf = ({ search }: URL): ReadonlyArray<string> =>
  Array.from(search.matchAll(parameter), ([, , name = "", value = ""]) =>
    isPublic(name, value) ? [] : [value, decode(value)],
  )
    .flat()
    .filter((value) => value.length > 3)

/** Paging tokens, which give access to the list. */
const skipToken = /(\$|%24)skipToken=[^&\s"']*/gi

/** Escapes of ASCII in URLs, JSON and HTML. Named entities and line breaks become NUL, which `letters` drops. */
const escape = /(?:%|\\u00|&#x)([\da-f]{2});?|&#(\d{2,3});|&[a-z]{2,8};|\\[nrt]/gi

const unescape = (text: string): string =>
  text.replace(escape, (_, hex?: string, decimal = "0") =>
    String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )

/** Only the letters and digits, in lower case. */
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase()

/** The text, and what base64 of every text that contains it has in common: one form for each position modulo 3. */
const encodings = (text: string): ReadonlyArray<string> => {
  // `btoa` throws for characters outside Latin-1.
  const ascii = text.replace(/[^ -~]/g, "_")
  // The characters at the ends that depend on other bytes are left out.
  const base64 = ["", "_", "__"].map((before) =>
    btoa(before + ascii)
      .slice(before === "" ? 0 : before.length + 1)
      .replace(/.={1,2}$/, ""),
  )
  // Shorter ones would be found everywhere.
  return [text, ...base64].map(letters).filter(({ length }) => length > 5)
}

/** The text on one line, without the secrets, cut to `length`. Secrets are removed in any letter case, as they are and percent-encoded. A text
 * that contains one in another form is replaced as a whole: escaped (URL, JSON, HTML, twice too), in base64, or with other characters between. */
export const redact = (text: string, secrets: ReadonlyArray<string>, length: number): string => {
  const pattern = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
    // The longest first, as one secret may begin with another.
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replace(/\W/g, "\\$&"))
    .join("|")
  const clean = pattern === "" ? text : text.replace(new RegExp(pattern, "gi"), "<redacted>")
  const once = unescape(clean)
  const readings = [clean, once, unescape(once)].map(letters)
  return secrets.flatMap(encodings).some((secret) => readings.some((reading) => reading.includes(secret)))
    ? "<redacted>"
    : PlainText.line(clean.replaceAll(skipToken, "$skipToken=<redacted>"), length)
}

const textOf = (error: object, name: string): string | undefined => {
  const value = Predicate.hasProperty(error, name) ? error[name] : undefined
  return typeof value === "string" && value !== "" ? PlainText.line(value, 100) : undefined
}

/** A copy of an error and its causes, up to five, with names and string codes only: other properties and messages may contain secrets.
 * `undefined` for a value that is not an object. */
export const sanitize = (error: unknown, depth = 5): Error | undefined => {
  if (depth === 0 || typeof error !== "object" || error === null) return undefined
  const name = textOf(error, "_tag") ?? textOf(error, "name") ?? "Error"
  const cause = Predicate.hasProperty(error, "cause") ? sanitize(error.cause, depth - 1) : undefined
  const code = textOf(error, "code")
  // A stack would point here.
  return Object.assign(new Error("", cause && { cause }), { name, stack: name }, code && { code })
}
