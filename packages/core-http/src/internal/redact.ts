/** Removes secrets from text, URLs and errors before they are shown. */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as PlainText from "../PlainText.js"

/** The query parameters that a client names, in lower case. */
export interface Parameters {
  /** Spans show no other query value. */
  readonly shown: ReadonlySet<string>
  readonly secret: ReadonlyArray<string>
}

/** What no error and no span contains. */
export interface Secrets {
  readonly secrets: ReadonlySet<string>
  readonly parameters: Parameters
}

export const parameters = (shown: ReadonlyArray<string>, secret: ReadonlyArray<string>): Parameters => {
  const lower = (all: ReadonlyArray<string>) => all.map((name) => name.toLowerCase())
  return { shown: new Set(lower(shown)), secret: lower(secret) }
}

/** Name and value, with the delimiter before them. A link may contain a second `?`. */
const parameter = /([?&])([^?&=]*)=([^?&]*)/g

const decode = (value: string): string => new URLSearchParams(`_=${value}`).get("_") ?? ""

/** Also without the declared secrets of a request, which may be segments of the path. A shown value must not contain another query. */
export const redactUrl = ({ origin, pathname, search }: URL, secrets: Secrets): string => {
  const { shown } = secrets.parameters
  const query = search.replace(parameter, (all, start: string, name: string, value: string) =>
    shown.has(decode(name).toLowerCase()) && !/[?&=#]/.test(decode(value)) ? all : `${start}${name}=REDACTED`,
  )
  const text = origin + pathname + query
  return secrets.secrets.size === 0 ? text : redact(text, secrets, 2_000)
}

/** Words, such as `triggers` and `IncomingWebhook`, their paths, and dates. Random texts have other digits, adjacent capitals or no end of a word. */
const plain = /^(?:[A-Z]?[a-z]+(?:(?:[-_.][A-Z]?|[A-Z])[a-z]+)*|\d{4}-\d\d-\d\d)$/
const isPlain = (text: string): boolean =>
  text.split("/").every((part) => part === "" || (part.length < 20 && plain.test(part)))

/** The texts as written and decoded. Shorter ones than `length` would match everywhere. */
const forms = (texts: ReadonlyArray<string>, length: number): ReadonlyArray<string> =>
  texts.flatMap((text) => [text, decode(text)]).filter((text) => text.length >= length)

/**
 * The values of secret parameters. If the URL is secret, also its other query values and its segments, without those that are words: a message such as
 * `The workflow state is Disabled` says what is wrong. A query value may be a word that is secret, but neither a date nor a path of words.
 */
export const secretsOf = (
  { pathname, search }: URL,
  isSecret: boolean | undefined,
  { secret }: Parameters,
): ReadonlyArray<string> => {
  const values = Array.from(search.matchAll(parameter)).flatMap(([, , name = "", value = ""]) => {
    const text = decode(value)
    const isHidden = isSecret && !(/^[/\d]/.test(text) && isPlain(text))
    const pair = decode(`${name}=${value}`).toLowerCase()
    return isHidden || secret.some((name) => pair.includes(name)) ? [value] : []
  })
  const segments = isSecret ? pathname.split("/").filter((segment) => !isPlain(decode(segment))) : []
  return [...forms(values, 4), ...forms(segments, 8)]
}

/** Escapes in URLs, JSON, JavaScript and HTML. Named entities and line breaks become nothing. */
const escape =
  /((?:(?:%|\\x)[\da-f]{2})+)|\\u([\da-f]{4})|(?:\\u\{|&#x)([\da-f]{1,6})[};]|&#(\d{1,7});|&[a-z]{2,8};|\\[nrt]/gi

const unescape = (text: string): string =>
  text.replace(escape, (_, bytes?: string, unit?: string, hex?: string, decimal?: string) => {
    if (bytes !== undefined) return decode(bytes.replaceAll(/\\x/gi, "%"))
    const code = decimal === undefined ? Number.parseInt(unit ?? hex ?? "", 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ""
  })

/** Letters and digits in one letter case. `ß`, `ς` and `İ` have no other case, or one of two characters, until both functions ran. */
const normalize = (text: string): string =>
  text
    .toLowerCase()
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")

/**
 * The beginning of the text, of its hexadecimal digits, and of the common part of all base64 texts that contain it: one form for each position
 * modulo 3. Not the whole text, so that the time does not grow with it.
 */
const encodings = (text: string): ReadonlyArray<string> => {
  // One character more, because half a surrogate pair has other bytes.
  const bytes = new TextEncoder().encode(text.slice(0, 65)).subarray(0, 64)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  // Without the characters at the ends, which depend on other bytes.
  const base64 = ["", "_", "__"].map((prefix) =>
    btoa(prefix + String.fromCharCode(...bytes))
      .slice(prefix === "" ? 0 : prefix.length + 1)
      .replace(/.={1,2}$/, ""),
  )
  return [normalize(text.slice(0, 10_000)).slice(0, 64), ...[hex, ...base64].map(normalize)].filter(
    ({ length }) => length > 5,
  )
}

/** In one letter case, with the same length. In lower case, `Σ` depends on its place, and `İ` has two characters. */
const fold = (text: string): string => text.replaceAll(/[Σς]/g, "σ").replaceAll("İ", "i").toLowerCase()

/** Replaces secrets as written, in any letter case, and percent-encoded. */
const redactWritten = (text: string, secrets: ReadonlySet<string>): string => {
  const folded = fold(text)
  const ranges: Array<readonly [start: number, end: number]> = []
  for (const secret of secrets) {
    if (secret.length > text.length) continue
    const wellFormed = secret.toWellFormed()
    // An empty secret would match everywhere.
    const forms = [secret, wellFormed, encodeURIComponent(wellFormed)].filter(
      ({ length }) => length > 0 && length <= text.length,
    )
    for (const form of new Set(forms.map(fold)))
      for (let end = 0, start; (start = folded.indexOf(form, end)) >= 0;) {
        end = start + form.length
        ranges.push([start, end])
      }
  }
  let clean = ""
  let shownFrom = 0
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    if (start >= shownFrom) clean += `${text.slice(shownFrom, start)}<redacted>`
    shownFrom = Math.max(shownFrom, end)
  }
  return clean + text.slice(shownFrom)
}

/** Replaces the values of secret parameters, whose names may be percent-encoded and follow other text. */
const redactParameters = (text: string, { secret }: Parameters): string => {
  const isSecret = (name: string) => secret.some((end) => decode(name).toLowerCase().endsWith(end))
  const redactPart = (part: string) => {
    const names = part.split("=").slice(0, -1)
    const index = names.findIndex(isSecret)
    return index === -1 ? part : `${names.slice(0, index + 1).join("=")}=<redacted>`
  }
  return text
    .split(/([&\s"'])/)
    .map(redactPart)
    .join("")
}

const redactUnsafe = (text: string, { parameters, secrets }: Secrets, length: number): string => {
  // A text of 20 MB, or a link with 60,000 secrets, would take seconds.
  if (text.length * Math.max(100, secrets.size) > 1e7) return "<redacted>"
  const clean = redactWritten(text, secrets)
  const unescaped = unescape(clean)
  const candidates = [clean, unescaped, unescape(unescaped)].map(normalize)
  for (const secret of secrets)
    if (encodings(secret).some((form) => candidates.some((candidate) => candidate.includes(form)))) return "<redacted>"
  return PlainText.toSingleLine(redactParameters(clean, parameters), length)
}

/**
 * Replaces secrets, in any letter case and percent-encoded, and cuts the text to one line of `length`. A text is replaced as a whole if it
 * contains a secret, or its first 64 letters and digits, in another form: escaped, in hexadecimal or base64, with separators. With fewer than six
 * letters and digits, a secret is also part of other texts, so its other forms stay.
 *
 * Never fails: what cannot be checked is replaced. No pattern contains data, because a large one throws an error that quotes it.
 */
export const redact = (text: string, secrets: Secrets, length: number): string =>
  Option.getOrElse(Option.liftThrowable(redactUnsafe)(text, secrets, length), () => "<redacted>")

const readText = (error: object, property: string): string | undefined => {
  const value = Predicate.hasProperty(error, property) ? error[property] : undefined
  return typeof value === "string" && value !== "" ? PlainText.toSingleLine(value, 100) : undefined
}

/** Copies an error and up to five causes with their names and string codes only, because other properties may contain secrets. */
export const sanitize = (error: unknown, depth = 5): Error | undefined => {
  if (depth === 0 || typeof error !== "object" || error === null) return undefined
  const name = readText(error, "_tag") ?? readText(error, "name") ?? "Error"
  const cause = Predicate.hasProperty(error, "cause") ? sanitize(error.cause, depth - 1) : undefined
  const code = readText(error, "code")
  return Object.assign(new Error("", cause && { cause }), { name, stack: name }, code && { code })
}
