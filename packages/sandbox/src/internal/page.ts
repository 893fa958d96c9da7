/** A page of a list, and the link to the next page (document, "Paging"). */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type { ErrorResponse } from "./errorResponse.js"
import { invalidSkipToken } from "./healthErrors.js"

/** The request for a page. */
export interface Request {
  readonly baseUrl: string
  readonly target: string
  readonly pageSize: number
  readonly skipToken: string | null
  /** What identifies the list: a `$skipToken` is valid for one list. */
  readonly list: ReadonlyArray<string | null>
}

/** A page, as the API sends it. */
interface Page<B> {
  readonly value: ReadonlyArray<B>
  readonly nextLink?: string
}

/** The opaque `$skipToken` that continues a list at `offset`. */
const makeToken = (list: string, offset: number): string =>
  Buffer.from(`${offset}:${createHash("sha256").update(list).digest("base64url").slice(0, 16)}`).toString("base64url")

/** The offset of a `$skipToken`, 0 without one. Nothing if the token was not issued for the list. */
const offsetOf = (list: string, token: string | null): number | undefined => {
  if (token === null) return 0
  const offset = Number(/^\d{1,15}(?=:)/.exec(Buffer.from(token, "base64url").toString())?.[0])
  return makeToken(list, offset) === token ? offset : undefined
}

/** Whether a pair of a query is a `$skipToken`, its `$` raw or percent-encoded. */
const isSkipToken = (pair: string) => /^(\$|%24)skipToken=/i.test(pair)

/**
 * The page of `all` at the request's `$skipToken`, as `show` shows each item. The link to the next page is the request's own URL, byte
 * for byte, with another `$skipToken`. If the list has become shorter since the token was issued, the page is empty and the last.
 */
export const page = <A, B>(
  request: Request,
  all: ReadonlyArray<A>,
  show: (item: A) => B,
): Effect.Effect<Page<B>, ErrorResponse<400>> => {
  const { baseUrl, target } = request
  const list = JSON.stringify(request.list)
  const offset = offsetOf(list, request.skipToken)
  if (offset === undefined) return invalidSkipToken
  const next = offset + (request.pageSize >= 1 ? Math.floor(request.pageSize) : 1)
  const [asked = "", ...rest] = target.split("?")
  const pairs = rest
    .join("?")
    .split("&")
    .filter((pair) => !isSkipToken(pair))
  const nextLink = `${baseUrl}${asked}?${[...pairs, `$skipToken=${makeToken(list, next)}`].join("&")}`
  return Effect.succeed({ value: all.slice(offset, next).map(show), ...(next < all.length ? { nextLink } : {}) })
}
