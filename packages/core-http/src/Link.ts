/** Links of a service: resolved by the URL standard, and followed to trusted origins only. */
import * as Either from "effect/Either"
import * as Origin from "./Origin.js"

/** Why a link is not followed. Nothing else of the link is kept, as links contain secrets.
 * @category models
 * @since 0.1.0 */
export interface Refusal {
  /** The link is not a URL, is not http or https, contains a user name or password, or leads to another origin. */
  readonly reason: "malformed" | "scheme" | "userinfo" | "origin"
  /** The origin of the URL that the link is relative to. */
  readonly origin: string
  /** The other origin that the link leads to. */
  readonly target?: string | undefined
}

/** Resolves a link against a URL. Fails for any origin but that of the URL and those of `trusted` (as `URL.origin` writes them).
 *
 * The query is kept byte for byte, except for characters that a request line cannot carry (a space, a quote, non-ASCII), which are
 * written as the URL standard serializes them. A fragment is dropped.
 * @category parsing
 * @since 0.1.0 */
export const resolve = (
  request: URL,
  link: string,
  trusted: ReadonlyArray<string> = [],
): Either.Either<string, Refusal> => {
  const refuse = (reason: Refusal["reason"], target?: string) => Either.left({ reason, origin: request.origin, target })
  const url = Origin.parseHttp(link, request)
  if (Either.isLeft(url)) return refuse(url.left)
  const { origin } = url.right
  if (origin !== request.origin && !trusted.includes(origin)) return refuse("origin", origin)
  url.right.hash = ""
  return Either.right(url.right.href)
}

/** Returns the absolute URL of a link, resolved against the URL of the response that holds it, without the fragment. A link that
 * is not a URL is returned unchanged. The origin is not checked here: the client checks it when the link is followed.
 * @category parsing
 * @since 0.1.0 */
export const absolute = (responseUrl: string, link: string): string => {
  const url = Origin.parseUrl(link, new URL(responseUrl))
  if (url === undefined) return link
  url.hash = ""
  return url.href
}
