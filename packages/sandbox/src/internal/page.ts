/** A page of a list, and the link to the next (document, "Paging"). */
import { flat, json } from "./answer.js"
import * as skipToken from "./skipToken.js"

/** The name of a pair of a query, as it is written or percent-encoded. */
const isSkipToken = (pair: string) => /^(\$|%24)skipToken=/i.test(pair)

/**
 * The page of `all`, as `show` shows it, that the request's `$skipToken` asks for, and the link to the next: the request's own address, its bytes kept,
 * with another `$skipToken`. A token says how much was read. Past the end of a list, which may have become shorter since it was
 * handed out, is an empty last page.
 */
export const page = <A>(request: URL, size: number, all: ReadonlyArray<A>, show: (item: A) => object) => {
  const offset = skipToken.read(request.searchParams.get("$skipToken"))
  if (offset === undefined)
    return flat(400, "InvalidODataQueryOptions", "The value of '$skipToken' was not handed out by this list.")
  const next = offset + size
  const pairs = request.search
    .slice(1)
    .split("&")
    .filter((pair) => !isSkipToken(pair))
  const query = [...pairs, `$skipToken=${skipToken.make(next)}`].join("&")
  return json({
    value: all.slice(offset, next).map(show),
    ...(next < all.length ? { nextLink: `${request.origin}${request.pathname}?${query}` } : {}),
  })
}
