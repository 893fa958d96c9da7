/** Commands that people copy into a shell. */

/** Quotes a text that is not one word of a shell. */
export const word = (text: string): string => (/^[\w./:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** `vigil` with these words, and with the sandbox if this command uses it. It works in a new shell. */
export const vigil = ({ sandbox }: { readonly sandbox: unknown }, ...words: ReadonlyArray<string>): string =>
  ["vigil", ...words.map(word), ...(sandbox === undefined ? [] : ["--sandbox"])].join(" ")
