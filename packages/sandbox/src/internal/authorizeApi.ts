/** The identity provider: the authorize page of the implicit flow (document, "Authentication"; RFC 6749, section 4.2). */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { failure, question } from "./authorizePage.js"
import { answerTo, read } from "./authorizeRequest.js"
import { send } from "./errorResponse.js"
import { wrongMethod } from "./healthErrors.js"
import * as path from "./path.js"
import * as route from "./route.js"

/** Where the page is. */
const page = "/common/oauth2/authorize"

/** In seconds. The sandbox's token does not expire; what handles expiry has something to handle. */
const lifetime = "3600"

const redirect = (location: string) =>
  HttpServerResponse.empty({
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  })

/** Whether a request target is the page. */
export const serves = (target: string): boolean => path.ofTarget(target) === page

/** Answers a request that `serves` accepts: sends the access token to the client that the person, or `prompt=none`, allows. */
export const app = (accessToken: Redacted.Redacted) => {
  const answer = (query: URLSearchParams): HttpServerResponse.HttpServerResponse => {
    const met = read(query)
    if (met._tag === "Unfit") return failure(met.reason)
    const { asker } = met
    if (met._tag === "Wrong") return redirect(answerTo(asker, { error: met.error, error_description: met.reason }))
    const { scope, silent } = met
    const allow = answerTo(asker, {
      access_token: Redacted.value(accessToken),
      token_type: "Bearer",
      expires_in: lifetime,
      scope,
    })
    if (silent) return redirect(allow)
    const deny = answerTo(asker, { error: "access_denied", error_description: "The user denied the request." })
    return question({ clientId: asker.clientId, origin: asker.redirect.origin, scope, allow, deny })
  }

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) => {
    const found = route.find([{ method: "GET", path: page }], method, url)
    return found._tag === "WrongMethod" ? send(wrongMethod(found.allow)) : Effect.succeed(answer(path.queryOf(url)))
  })
}
