/** A page of a list, and the link to the next page (document, "Paging"). */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type { ErrorResponse } from "./errorResponse.js"
import { invalidSkipToken } from "./healthErrors.js"

export interface Request {
  readonly baseUrl: string
  readonly target: string
  readonly pageSize: number
  readonly skipToken: string | null
  /** Identifies the list: a `$skipToken` is valid for one list. */
  readonly list: ReadonlyArray<string | null>
}

const makeToken = (list: string, offset: number): string =>
  Buffer.from(`${offset}:${createHash("sha256").update(list).digest("base64url").slice(0, 16)}`).toString("base64url")

const offsetOf = (list: string, token: string | null): number | undefined => {
  if (token === null) return 0
  const offset = Number(/^\d{1,15}(?=:)/.exec(Buffer.from(token, "base64url").toString())?.[0])
  return makeToken(list, offset) === token ? offset : undefined
}

/** The next link is the request's URL, byte for byte, with another `$skipToken`. A page beyond the end of a shortened list is empty. */
export const page = <A, B>(
  request: Request,
  all: ReadonlyArray<A>,
  show: (item: A) => B,
): Effect.Effect<{ readonly value: ReadonlyArray<B>; readonly nextLink?: string }, ErrorResponse<400>> => {
  const { baseUrl, target } = request
  const list = JSON.stringify(request.list)
  const offset = offsetOf(list, request.skipToken)
  if (offset === undefined) return invalidSkipToken
  const next = offset + (request.pageSize >= 1 ? Math.floor(request.pageSize) : 1)
  const [path = "", ...rest] = target.split("?")
  const pairs = rest
    .join("?")
    .split("&")
    .filter((pair) => !/^(\$|%24)skipToken=/i.test(pair))
  const nextLink = `${baseUrl}${path}?${[...pairs, `$skipToken=${makeToken(list, next)}`].join("&")}`
  return Effect.succeed({ value: all.slice(offset, next).map(show), ...(next < all.length ? { nextLink } : {}) })
}
