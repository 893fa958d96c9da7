/** The public URL of a page of `vigil serve`, and the links of messages to its events. */
import * as Origin from "@vigil/core-http/Origin"
import * as LivePage from "@vigil/health-report/LivePage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AnyEvent } from "../../connection/AnyEvent.js"
import * as Flag from "../../flags/Flag.js"
import { UsageError } from "../../flags/UsageError.js"

const parse = (text: string): Option.Option<URL> =>
  Option.filter(
    Result.getSuccess(Origin.parseHttp(text)),
    ({ hash, search, username }) => `${hash}${search}${username}` === "",
  )

export const flag = Flag.optional(
  Flag.parsed("url", "an http or https URL without user, query and fragment", parse),
  "URL of the page of vigil serve, for links to it",
)

/** Only messages have links. */
export const checkFlags = (url: URL | undefined, routes: string | undefined): Effect.Effect<void, UsageError> =>
  url !== undefined && routes === undefined ? new UsageError("--public-url requires --routes.") : Effect.void

const pageOf = (url: URL): string => url.href.replace(/\/?$/, "/")

/** The URL of the resources on the page. */
export const resourcesLink = (url: URL): string => `${pageOf(url)}#resources`

/** The URL of an event on the page, else that of the page, whose own requests need the last slash. */
export const linkOf = (url: URL | undefined) => {
  if (url === undefined) return undefined
  const page = pageOf(url)
  return (event: AnyEvent): string => {
    const anchor = LivePage.anchor(event)
    return anchor === undefined ? page : `${page}#${anchor}`
  }
}
