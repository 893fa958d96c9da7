/** Removes secrets from text of others before it goes into an error. */
import * as Origin from "../Origin.js"
import * as PlainText from "../PlainText.js"

/** Whoever has a paging token can read the list. */
const skipToken = /(\$|%24)skipToken=[^&\s"']*/gi

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** The text on one line, without the secrets, cut to `length`. */
export const redactText = (text: string, secrets: ReadonlyArray<string>, length: number): string => {
  const hidden = new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))
  // One expression for all, the longest first, so that nothing is searched in what was replaced.
  const forms = [...hidden].filter((secret) => secret !== "").toSorted((a, b) => b.length - a.length)
  const bare =
    forms.length === 0 ? text : text.replaceAll(new RegExp(forms.map(escapeRegExp).join("|"), "g"), "<redacted>")
  return PlainText.line(bare.replaceAll(skipToken, "$skipToken=<redacted>"), length)
}

/** The text with each http(s) URL reduced to its origin. */
export const withoutPaths = (text: string): string =>
  text.replaceAll(/\bhttps?:\/\/[^\s"'<>]+/gi, (url) => Origin.parseUrl(url)?.origin ?? "<url>")
