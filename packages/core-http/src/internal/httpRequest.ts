/** The request that the HTTP client sends: its headers and its body. */
import * as Headers from "effect/http/Headers"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import { JsonText, noBody, type Request } from "../Request.js"
import type { Header } from "./credentialCache.js"
import { isReserved } from "./reservedHeaders.js"

export const makeHttpRequest = (
  userAgent: string | undefined,
  { body: payload, method }: Request<unknown>,
  header: Header | undefined,
  url: URL,
  additional: Readonly<Record<string, string>>,
): HttpClientRequest.HttpClientRequest => {
  const headers = {
    ...Headers.fromInput(Object.entries(additional).filter(([name]) => !isReserved(name))),
    accept: "application/json",
    ...(userAgent !== undefined && { "user-agent": userAgent }),
    ...(header && { [header.name.toLowerCase()]: Redacted.value(header.value) }),
  }
  const request = HttpClientRequest.make(method)(url.href, { headers })
  if (payload === undefined || payload === noBody) return request
  if (payload instanceof URLSearchParams)
    return HttpClientRequest.bodyText(request, payload.toString(), "application/x-www-form-urlencoded")
  const text = payload instanceof JsonText ? payload.text : JSON.stringify(payload)
  return HttpClientRequest.bodyText(request, text, "application/json")
}
