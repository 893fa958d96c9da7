/** Links that a service hands out: resolved by the URL standard, and followed to the same origin only. */
import * as Either from "effect/Either"
import { LinkRefused } from "./HttpError.js"
import * as Origin from "./Origin.js"

/**
 * Resolves a link against the address of the request that was answered with it. The result keeps the link's query byte
 * for byte, but for what may not stand in a request line (a space, a quote, non-ASCII), which is written as the URL
 * standard serialises it; a fragment is dropped.
 *
 * Fails with `LinkRefused` for a malformed link, another scheme than http(s), a user or password in it, and every other
 * origin: a link may not carry the credential elsewhere.
 *
 * @category parsing
 * @since 0.1.0
 */
export const resolve = (request: string, link: string): Either.Either<string, LinkRefused> => {
  const origin = new URL(request).origin
  const refuse = (reason: LinkRefused["reason"], target?: string) =>
    Either.left(new LinkRefused({ what: "link", reason, origin, target }))
  if (!URL.canParse(link, request)) return refuse("malformed")
  const url = new URL(link, request)
  if (!Origin.isHttp(url)) return refuse("scheme")
  if (url.username !== "" || url.password !== "") return refuse("userinfo")
  if (url.origin !== origin) return refuse("origin", url.origin)
  url.hash = ""
  return Either.right(url.href)
}
