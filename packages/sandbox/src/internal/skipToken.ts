/** The opaque `$skipToken`: how far a list has been read. */

const prefix = "from:"

/** The token that continues a list at `offset`. */
export const make = (offset: number): string => Buffer.from(`${prefix}${offset}`).toString("base64url")

/** The offset of a token, 0 without one; nothing for a token that was not made here. */
export const read = (token: string | null): number | undefined => {
  if (token === null) return 0
  const text = Buffer.from(token, "base64url").toString()
  const offset = text.startsWith(prefix) ? Number(text.slice(prefix.length)) : Number.NaN
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : undefined
}
