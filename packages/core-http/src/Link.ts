/** Links of a service: resolved by the URL standard, and followed to the same origin only. */
import * as Either from "effect/Either"
import * as Origin from "./Origin.js"

/**
 * Why a link is not followed: it is no address, another scheme than http(s), holds a user or a password, or leads to
 * another origin, which is the `target`. Nothing else is kept of the link, as links hold secrets.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refusal {
  /** Which of these it is. */
  readonly reason: "malformed" | "scheme" | "userinfo" | "origin"
  /** The origin that the link came from. */
  readonly origin: string
  readonly target?: string | undefined
}

/**
 * Resolves a link against the address of the request that was answered with it. The result keeps the link's query byte
 * for byte, but for what may not stand in a request line (a space, a quote, non-ASCII), which is written as the URL
 * standard serialises it; a fragment is dropped. A link may not carry the credential elsewhere: one to any other origin
 * than the request's is refused, unless it is one of `trusted` (origins as `URL.origin` writes them).
 *
 * @category parsing
 * @since 0.1.0
 */
export const resolve = (
  request: URL,
  link: string,
  trusted: ReadonlyArray<string> = [],
): Either.Either<string, Refusal> => {
  const refuse = (reason: Refusal["reason"], target?: string) => Either.left({ reason, origin: request.origin, target })
  const url = Origin.parseUrl(link, request)
  if (url === undefined) return refuse("malformed")
  if (!Origin.isHttp(url)) return refuse("scheme")
  if (url.username !== "" || url.password !== "") return refuse("userinfo")
  if (url.origin !== request.origin && !trusted.includes(url.origin)) return refuse("origin", url.origin)
  url.hash = ""
  return Either.right(url.href)
}

/**
 * Returns the absolute URL of a link, resolved against the URL of the response that holds it, without the fragment. A link that
 * is not a URL is returned unchanged. The origin is not checked here: the client checks it when the link is followed.
 *
 * @category parsing
 * @since 0.1.0
 */
export const absolute = (responseUrl: string, link: string): string => {
  const url = Origin.parseUrl(link, new URL(responseUrl))
  if (url === undefined) return link
  url.hash = ""
  return url.href
}
