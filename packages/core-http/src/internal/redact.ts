/** Removes secrets from text, URLs and errors before they are shown. */
import * as Predicate from "effect/Predicate"
import * as Origin from "../Origin.js"
import * as PlainText from "../PlainText.js"

/** Query parameters with public values. Any other value may be a secret. */
const publicParameters = new Set(["api-version", "$filter", "$orderby", "$select", "$skip", "$top", "querystarttime"])

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

/** The text on one line, without the secrets, cut to `length`. Secrets are removed in any letter case, as they are and percent-encoded. */
export const redact = (text: string, secrets: ReadonlyArray<string>, length: number): string => {
  const pattern = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
    // The longest first, as one secret may begin with another.
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replace(/\W/g, "\\$&"))
    .join("|")
  const clean = pattern === "" ? text : text.replace(new RegExp(pattern, "gi"), "<redacted>")
  return PlainText.line(clean.replaceAll(skipToken, "$skipToken=<redacted>"), length)
}

/** The text with each http(s) URL reduced to its origin. */
export const withoutPaths = (text: string): string =>
  text.replaceAll(/\bhttps?:\/\/[^\s"'<>]+/gi, (url) => Origin.parseUrl(url)?.origin ?? "<url>")

const textOf = (error: object, name: string): string | undefined => {
  const value = Predicate.hasProperty(error, name) ? error[name] : undefined
  return typeof value === "string" && value !== "" ? PlainText.line(value, 100) : undefined
}

/**
 * A copy of an error and its causes, up to five: names, string codes, and messages as `describe` rewrites them. No other property is kept, as
 * errors of HTTP clients carry the request with its headers. `undefined` for a value that is not an object.
 */
export const sanitize = (error: unknown, describe: (message: string) => string, depth = 5): Error | undefined => {
  if (depth === 0 || typeof error !== "object" || error === null) return undefined
  const name = textOf(error, "_tag") ?? textOf(error, "name") ?? "Error"
  const message = Predicate.hasProperty(error, "message") ? describe(String(error.message)) : ""
  const cause = Predicate.hasProperty(error, "cause") ? sanitize(error.cause, describe, depth - 1) : undefined
  const copy = new Error(message, cause && { cause })
  copy.name = name
  // A new stack would point here, and the original one contains the original message.
  copy.stack = message === "" ? name : `${name}: ${message}`
  const code = textOf(error, "code")
  return code === undefined ? copy : Object.assign(copy, { code })
}
