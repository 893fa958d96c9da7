/** A page of a list, and the link to the next page (document, "Paging"). */
import * as Effect from "effect/Effect"
import type { ErrorResponse } from "./errorResponse.js"
import { invalidSkipToken } from "./healthErrors.js"
import * as skipToken from "./skipToken.js"

/** The request for a page. */
export interface Request {
  readonly baseUrl: string
  readonly target: string
  readonly pageSize: number
  readonly skipToken: string | null
  /** Everything that tells this list from others: its tokens are good for it alone. */
  readonly list: ReadonlyArray<string | null>
}

/** A page, as the API sends it. */
interface Page<B> {
  readonly value: ReadonlyArray<B>
  readonly nextLink?: string
}

/** Whether a pair of a query is a `$skipToken`, its `$` raw or percent-encoded. */
const isSkipToken = (pair: string) => /^(\$|%24)skipToken=/i.test(pair)

/**
 * The page of `all` that the request's `$skipToken` asks for, as `show` shows it. The link to the next page is the request's own URL, its
 * bytes kept, with another `$skipToken`. A list may have become shorter since the token was issued: then the page is empty, and the last.
 */
export const page = <A, B>(
  request: Request,
  all: ReadonlyArray<A>,
  show: (item: A) => B,
): Effect.Effect<Page<B>, ErrorResponse<400>> => {
  const { baseUrl, target } = request
  const list = JSON.stringify(request.list)
  const offset = skipToken.read(list, request.skipToken)
  if (offset === undefined) return invalidSkipToken
  const next = offset + (request.pageSize >= 1 ? Math.floor(request.pageSize) : 1)
  const [asked = "", ...rest] = target.split("?")
  const pairs = rest
    .join("?")
    .split("&")
    .filter((pair) => !isSkipToken(pair))
  const nextLink = `${baseUrl}${asked}?${[...pairs, `$skipToken=${skipToken.make(list, next)}`].join("&")}`
  return Effect.succeed({ value: all.slice(offset, next).map(show), ...(next < all.length ? { nextLink } : {}) })
}
