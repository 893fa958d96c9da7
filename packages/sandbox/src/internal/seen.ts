/** A request without its secrets. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type { Seen } from "../Seen.js"

const secret = new Set(["authorization", "proxy-authorization", "cookie", "x-api-token"])

/** What may be told of the request. */
export const seen = ({ headers, method, url }: HttpServerRequest.HttpServerRequest): Seen => ({
  method,
  target: url,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name))),
})
