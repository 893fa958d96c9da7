/** Links in responses: resolved by the URL standard, and followed to trusted origins only. */
import * as Result from "effect/Result"
import * as Origin from "../Origin.js"
import type * as Reason from "../Reason.js"

/** Why a link is not followed. Nothing else of the link is kept, because links contain secrets. */
export interface Refusal extends Pick<Reason.Link, "origin" | "target"> {
  readonly problem: Exclude<Reason.Link["problem"], "path">
}

/**
 * Resolves a link against a URL. Fails if the link leads to another origin, unless `trusted` contains it (as in `URL.origin`). Keeps the
 * query byte for byte, except for characters that a request line cannot carry. Removes the fragment.
 */
export const resolve = (base: URL, link: string, trusted: ReadonlyArray<string>): Result.Result<URL, Refusal> => {
  const refuse = (problem: Refusal["problem"], target?: string) => Result.fail({ problem, origin: base.origin, target })
  const parsed = Origin.parseHttp(link, base)
  if (Result.isFailure(parsed)) return refuse(parsed.failure)
  const url = parsed.success
  if (url.origin !== base.origin && !trusted.includes(url.origin)) return refuse("origin", url.origin)
  url.hash = ""
  return Result.succeed(url)
}
