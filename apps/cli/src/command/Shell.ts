/** Commands that people copy into a shell: POSIX or PowerShell. */
import * as TerminalText from "@vigil/health-text/TerminalText"

/** What a terminal shows of a text. It is first: a control sequence would remove a quote behind it. */
const clean = TerminalText.line

/**
 * A text as one word of a shell. Double quotes are first, which `cmd` knows as well. Only a text that needs both kinds of quotes is for
 * POSIX shells alone.
 */
export const word = (raw: string): string => {
  const text = clean(raw)
  if (/^[\w./:-][\w./:=-]*$/.test(text)) return text
  // Special inside double quotes: `!` in Bash, and curved quotes in PowerShell.
  return /[$`"\\!“”„]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`
}

const isDashed = (text: string): boolean => clean(text).startsWith("-")

/** A flag with its value. The parser takes a separate text that begins with a dash for another flag. */
export const flag = (name: string, value: string | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : isDashed(value) ? [`${name}=${clean(value)}`] : [name, value]

/** What a printed command needs to reach the same service in a new shell. */
export interface Connection {
  readonly sandbox: unknown
  readonly given: { readonly baseUrl: string | undefined; readonly apiVersion: string | undefined }
}

/** A command of `vigil`, such as `events show`, with its arguments and flags, and the flags of this connection. */
export const vigil = (
  { given, sandbox }: Connection,
  command: string,
  args: ReadonlyArray<string> = [],
  flags: ReadonlyArray<string> = [],
): string => {
  const all = [
    ...flags,
    ...flag("--base-url", given.baseUrl),
    ...flag("--api-version", given.apiVersion),
    ...(sandbox === undefined ? [] : ["--sandbox"]),
  ]
  const words = args.some(isDashed) ? [...all, "--", ...args] : [...args, ...all]
  return ["vigil", ...command.split(" "), ...words].map(word).join(" ")
}
