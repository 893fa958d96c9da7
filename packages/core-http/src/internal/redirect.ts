/** Where a redirect leads: to the same or a trusted origin, and only for requests that read. */
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Link from "../Link.js"
import * as Reason from "../Reason.js"
import { redact, type Secrets } from "./redact.js"

/** Browsers report 0 for a redirect that they do not follow. */
export const statuses: ReadonlySet<number> = new Set([0, 301, 302, 303, 307, 308])

/** `redirects`: how many more redirects the request may follow. */
export const follow = (
  trusted: ReadonlyArray<string>,
  call: Secrets & { readonly request: HttpClientRequest.HttpClientRequest },
  url: URL,
  redirects: number,
  { headers: { location }, status }: HttpClientResponse.HttpClientResponse,
): Effect.Effect<URL, Reason.Redirect> => {
  const refuse = (problem: Reason.Redirect["problem"], target?: string) =>
    new Reason.Redirect({ problem, origin: url.origin, target: target && redact(target, call, 300) })
  if (status === 0) return refuse("opaque")
  if (location === undefined) return refuse("malformed")
  const link = Link.resolve(url, location, trusted)
  if (Result.isFailure(link)) return refuse(link.failure.problem, link.failure.target)
  const target = new URL(link.success)
  if (!["GET", "HEAD"].includes(call.request.method)) return refuse("method", target.origin)
  return redirects === 0 ? refuse("limit") : Effect.succeed(target)
}
