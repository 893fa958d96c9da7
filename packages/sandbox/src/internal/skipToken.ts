/** The opaque `$skipToken`: a list, and how much of it was read. */
import { createHash } from "node:crypto"

/** The token that continues a list at `offset`. `list` is anything that identifies the list. */
export const make = (list: string, offset: number): string =>
  Buffer.from(`${offset}:${createHash("sha256").update(list).digest("base64url").slice(0, 16)}`).toString("base64url")

/** The offset of a token, 0 without one. Nothing for a token that was not issued for the list. */
export const read = (list: string, token: string | null): number | undefined => {
  if (token === null) return 0
  const offset = Number(/^\d{1,15}(?=:)/.exec(Buffer.from(token, "base64url").toString())?.[0])
  return make(list, offset) === token ? offset : undefined
}
