/** The end of a program's stderr as one line, without secrets. */
import * as PlainText from "@vigil/core-http/PlainText"
import * as TerminalText from "../output/TerminalText.js"

const hidden = "(hidden)"

/** A value that its name calls a secret. */
const named = /((?:token|secret|passw(?:or)?d|credential|api-?key)s?["']?\s*[:=]\s*["']?)[^\s"',;]+/gi

/** The characters of a bearer token (RFC 6750, 2.1). Shorter texts are words, codes and names. */
const word = /[\w.~+/-]{16,}=*/g

/** Words and paths have no digits, and capitals at their start only. */
const isRandom = (text: string): boolean => /\d|[a-z][A-Z]/.test(text)

const maxLines = 3
const maxLength = 300

/** `token` is the token that the program printed on stdout, or empty. */
export const lastLines = (stderr: string, token = ""): string => {
  const lines = stderr.split(/[\r\n]+/).map(TerminalText.line)
  const text = lines
    .filter((line) => line !== "")
    .slice(-maxLines)
    .join(" ")
  const withoutToken = token === "" ? text : text.replaceAll(token, hidden)
  return PlainText.toSingleLine(
    withoutToken.replace(named, `$1${hidden}`).replace(word, (text) => (isRandom(text) ? hidden : text)),
    maxLength,
  )
}
