/** What the HTTP client gets: the request, and the settings in its context. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { JsonText, noBody, type Request } from "../Request.js"
import type { Header } from "./credentialCache.js"
import { isReserved } from "./headers.js"

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

/**
 * Provides what the HTTP client reads from the context: the parent span, redirects by hand, no tracing and no body limit by the platform, and the
 * header names to redact.
 */
export const provideSettings = <A, E>(
  effect: Effect.Effect<A, E>,
  {
    redactedHeaders,
    requestInit,
  }: { readonly redactedHeaders: ReadonlyArray<string>; readonly requestInit: RequestInit },
  span: Tracer.Span,
) =>
  Effect.updateContext(effect, (context: Context.Context<never>) =>
    context.pipe(
      Context.add(Tracer.ParentSpan, span),
      Context.add(FetchHttpClient.RequestInit, requestInit),
      Context.add(HttpIncomingMessage.MaxBodySize, undefined),
      Context.add(HttpClient.TracerDisabledWhen, constTrue),
      Context.add(Headers.CurrentRedactedNames, [
        ...Context.get(context, Headers.CurrentRedactedNames),
        ...redactedHeaders,
      ]),
    ),
  )
