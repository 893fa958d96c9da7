/** Removes secrets from text, URLs and errors before they are shown. */
import * as Predicate from "effect/Predicate"
import * as PlainText from "../PlainText.js"

/** The query parameters that a client names, in lower case. */
export interface Parameters {
  /** Spans show no other query value. */
  readonly shown: ReadonlySet<string>
  readonly secret: ReadonlyArray<string>
  /** A secret parameter and its value in a text. */
  readonly pattern: RegExp
}

/** What no error and no span contains. */
export interface Secrets {
  readonly secrets: ReadonlyArray<string>
  readonly parameters: Parameters
}

export const parameters = (shown: ReadonlyArray<string>, secret: ReadonlyArray<string>): Parameters => {
  const names = secret.map((name) =>
    name.replace(/\W/g, (character) => `(?:\\${character}|${encodeURIComponent(character)})`),
  )
  const lower = (all: ReadonlyArray<string>) => all.map((name) => name.toLowerCase())
  return {
    shown: new Set(lower(shown)),
    secret: lower(secret),
    // Without a name, no text matches.
    pattern: new RegExp(`(${names.join("|") || "[]"})=[^&\\s"']*`, "gi"),
  }
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
  return secrets.secrets.length === 0 ? text : redact(text, secrets, 2_000)
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

/** Escapes of ASCII in URLs, JSON and HTML. Named entities and line breaks become NUL, which `normalize` removes. */
const escape = /(?:%|\\u00|&#x)([\da-f]{2});?|&#(\d{2,3});|&[a-z]{2,8};|\\[nrt]/gi

const unescape = (text: string): string =>
  text.replace(escape, (_, hex?: string, decimal?: string) =>
    String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )

const normalize = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase()

/** The text, and the common part of all base64 texts that contain it: one form for each position modulo 3. */
const encodings = (text: string): ReadonlyArray<string> => {
  // `btoa` throws for characters outside Latin-1.
  const ascii = text.replace(/[^ -~]/g, "_")
  // Without the characters at the ends, which depend on other bytes.
  const base64 = ["", "_", "__"].map((prefix) =>
    btoa(prefix + ascii)
      .slice(prefix === "" ? 0 : prefix.length + 1)
      .replace(/.={1,2}$/, ""),
  )
  return [text, ...base64].map(normalize).filter(({ length }) => length > 5)
}

/**
 * Replaces secrets, in any letter case and percent-encoded, and cuts the text to one line of `length`. A text that contains a secret in
 * another form (escaped, in base64, with separators) is replaced as a whole.
 */
export const redact = (text: string, { parameters, secrets }: Secrets, length: number): string => {
  // A text of 20 MB would take seconds.
  if (text.length > 1e5) return "<redacted>"
  // An empty secret would match everywhere, and `encodeURIComponent` throws for half a surrogate pair.
  const pattern = secrets
    .flatMap((secret) => (secret ? [secret, secret.toWellFormed(), encodeURIComponent(secret.toWellFormed())] : []))
    // Longest first, because one secret may start with another.
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replace(/\W/g, "\\$&"))
    .join("|")
  const clean = text.replace(new RegExp(pattern || "[]", "gi"), "<redacted>")
  const unescaped = unescape(clean)
  const candidates = [clean, unescaped, unescape(unescaped)].map(normalize)
  return secrets.flatMap(encodings).some((secret) => candidates.some((candidate) => candidate.includes(secret)))
    ? "<redacted>"
    : PlainText.toSingleLine(clean.replaceAll(parameters.pattern, "$1=<redacted>"), length)
}

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
