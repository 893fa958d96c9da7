/** Links in responses: resolved by the URL standard, and followed to trusted origins only. */
import * as Result from "effect/Result"
import * as Origin from "./Origin.js"

/** Why a link is not followed. Nothing else of the link is kept, because links contain secrets. @category models @since 0.1.0 */
export interface Refusal {
  /** The link is not a valid URL, is not http or https, contains a user name or password, or leads to another origin. */
  readonly problem: "malformed" | "scheme" | "userinfo" | "origin"
  /** The origin of the base URL of the link. */
  readonly origin: string
  /** The other origin, for the problem `origin`. */
  readonly target?: string | undefined
}

/**
 * Resolves a link against a URL. Fails if the link leads to another origin, unless `trusted` contains it (as in `URL.origin`). Keeps the
 * query byte for byte, except for characters that a request line cannot carry. Removes the fragment.
 * @category parsing @since 0.1.0
 */
export const resolve = (
  base: URL,
  link: string,
  trusted: ReadonlyArray<string> = [],
): Result.Result<string, Refusal> => {
  const refuse = (problem: Refusal["problem"], target?: string) => Result.fail({ problem, origin: base.origin, target })
  const url = Origin.parseHttp(link, base)
  if (Result.isFailure(url)) return refuse(url.failure)
  const { origin } = url.success
  if (origin !== base.origin && !trusted.includes(origin)) return refuse("origin", origin)
  url.success.hash = ""
  return Result.succeed(url.success.href)
}

/**
 * Resolves a link against the URL of its response, without the fragment. Returns invalid links unchanged. Does not check the origin.
 * @category parsing @since 0.1.0
 */
export const toAbsolute = (responseUrl: string, link: string): string => {
  const url = URL.parse(link, responseUrl)
  if (url === null) return link
  url.hash = ""
  return url.href
}
