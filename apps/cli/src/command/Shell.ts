/** Commands that people copy into a shell: POSIX or PowerShell. */

/**
 * Quotes a text that is not one word of a shell. Double quotes are first, which `cmd` knows as well. Only a text that needs both kinds of quotes is for
 * POSIX shells alone.
 */
export const word = (text: string): string => {
  if (/^[\w./:=-]+$/.test(text)) return text
  // Special inside double quotes: `!` in Bash, and curved quotes in PowerShell.
  return /[$`"\\!“”„]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`
}

/** A flag with its value. The parser takes a separate text that begins with a dash for another flag. */
export const flag = (name: string, value: string | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : value.startsWith("-") ? [`${name}=${value}`] : [name, value]

/** What a printed command needs to reach the same service in a new shell. */
export interface Connection {
  readonly sandbox: unknown
  readonly given: { readonly baseUrl: string | undefined; readonly apiVersion: string | undefined }
}

/** `vigil` with these words, and with the flags of this command's connection. */
export const vigil = ({ given, sandbox }: Connection, ...words: ReadonlyArray<string>): string =>
  [
    "vigil",
    ...words,
    ...flag("--base-url", given.baseUrl),
    ...flag("--api-version", given.apiVersion),
    ...(sandbox === undefined ? [] : ["--sandbox"]),
  ]
    .map(word)
    .join(" ")
