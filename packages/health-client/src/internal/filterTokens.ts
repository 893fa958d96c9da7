/** Splits the text of a filter into tokens. */

export interface Token {
  readonly position: number
  readonly text: string
}

/** White space, a word, or another character. Long quoted values would overflow the stack of a regular expression. */
const plain = /\s+|[A-Za-z_][\w./-]*|[^]/y

const closing = (text: string, start: number): number => {
  let quote = text.indexOf("'", start + 1)
  // Doubled quotes belong to the value.
  while (quote >= 0 && text[quote + 1] === "'") quote = text.indexOf("'", quote + 2)
  return quote < 0 ? text.length : quote + 1
}

const endOf = (text: string, start: number): number => {
  if (text[start] === "'") return closing(text, start)
  plain.lastIndex = start
  return start + (plain.exec(text)?.[0].length ?? 1)
}

/** Splits text into tokens, without white space. An unclosed quote is a token up to the end. */
export const split = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  for (let position = 0, end = 0; position < text.length; position = end) {
    end = endOf(text, position)
    const token = text.slice(position, end)
    if (token.trim() !== "") tokens.push({ position, text: token })
  }
  return tokens
}

const reserved = /^(and|eq|false|ge|gt|has|in|le|lt|ne|not|null|or|region|service|true)$/i

const isClosed = (token: string): boolean => token.length > 1 && (token.match(/'/g)?.length ?? 0) % 2 === 0

/** Returns the value of a token; `undefined` if it is not a value. */
export const value = (token: string): string | undefined => {
  if (token.startsWith("'")) return isClosed(token) ? token.slice(1, -1).replaceAll("''", "'") : undefined
  return /^[A-Za-z][\w.-]*$/.test(token) && !reserved.test(token) ? token : undefined
}
