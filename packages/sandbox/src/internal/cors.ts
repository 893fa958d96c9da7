/** What a browser is told, so that pages of other origins may ask the APIs (Fetch standard, "CORS protocol"). */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as authorizeApi from "./authorizeApi.js"
import * as portalApi from "./portal/api.js"

/** The pages for a person hand out tokens: no page of another origin reads them. */
const isForPersons = (target: string): boolean => portalApi.serves(target) || authorizeApi.serves(target)

/** Any origin, any header that it asks for, and every header of an answer that a client reads. */
const allow = HttpMiddleware.cors({
  allowedMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  exposedHeaders: ["retry-after", "x-ms-request-id", "x-request-id", "request-id"],
})

/** The application, with its APIs open to pages of every origin. A preflight is answered here: it carries no token. */
export const open = <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> => {
  const opened = allow(app)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => (isForPersons(url) ? app : opened))
}
