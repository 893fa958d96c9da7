/** What the HTTP client gets for one attempt: the request, and the settings in its context. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpMethod } from "effect/http/HttpMethod"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as UrlParams from "effect/http/UrlParams"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { constTrue } from "effect/Function"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import * as Origin from "../Origin.js"
import * as Reason from "../Reason.js"
import type { Options } from "../Request.js"
import type { Header } from "./credentialCache.js"
import { ofConnection } from "./headers.js"
import * as link from "./link.js"
import { redactUrl, type Secrets } from "./redact.js"

/** The parameters apart from the URL: `HttpClientRequest` and `URL` would write the whole query anew. */
const addQuery = (url: string, params: UrlParams.UrlParams): string => {
  const query = UrlParams.toString(params)
  return query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`
}

/** `//` and `/\\` begin an authority by the URL standard. */
const path = /^\/(?![/\\])/

/**
 * URLs that lead to another path: by a segment `.` or `..`, such as from an app to all apps, or without a leading `/`, which would replace segments of
 * the base URL. `https:a` is relative to an https URL.
 */
const misleading = /^[^?#]*[/\\](\.|%2e){1,2}([/\\?#]|$)|^(?!\/|\w+:)|^https?:(?!\/\/)/i

/** Why no request was sent. */
export interface Refusal extends Pick<Reason.Link, "origin" | "problem" | "target"> {}

/** The URL of a request. A path that begins with `/` is appended to the base URL; another URL obeys the rule of origins. */
export const resolve = (
  base: URL,
  { url, urlParams }: HttpClientRequest.HttpClientRequest,
  trusted: ReadonlyArray<string>,
): Result.Result<URL, Refusal> =>
  misleading.test(url)
    ? Result.fail({ problem: "path", origin: base.origin })
    : Result.map(
        link.resolve(base, path.test(url) ? Origin.append(base, url) : url, trusted),
        ({ href }) => new URL(addQuery(href, urlParams)),
      )

/** The value of a header, and without a scheme such as `Bearer`. */
export const formsOf = (value: Redacted.Redacted): ReadonlyArray<string> => {
  const text = Redacted.value(value)
  return [text, text.replace(/^\S+ +/, "")]
}

/**
 * The secrets that a request declares: those of its options, redacted parameters, and headers with names to redact. Fails if one was wiped: the texts
 * of the service could not be checked for it.
 */
export const secretsOf = (
  { headers, urlParams }: HttpClientRequest.HttpClientRequest,
  { secrets = [] }: Options,
  fiber: Fiber.Fiber<unknown, unknown>,
): Result.Result<Array<string>, Reason.Credential> =>
  Result.try({
    try: () => [
      ...secrets.map(Redacted.value),
      ...[
        ...urlParams.params.map(([, value]) => value),
        ...Object.values(Headers.redact(headers, fiber.getRef(Headers.CurrentRedactedNames))),
      ].flatMap((value) => (Redacted.isRedacted(value) ? formsOf(value) : [])),
    ],
    catch: () => new Reason.Credential({ problem: "wiped", isRetryable: false }),
  })

/** A request as programs may print it: without headers, a body and the secrets of its URL. */
export const show = (
  {
    options,
    request,
    ...secrets
  }: Secrets & { readonly options: Options; readonly request: HttpClientRequest.HttpClientRequest },
  url: URL,
): HttpClientRequest.HttpClientRequest =>
  // A request may have any method.
  HttpClientRequest.make(request.method as HttpMethod)(options.isUrlSecret ? url.origin : redactUrl(url, secrets))

/** Whether a body can be sent again. */
export const isRepeatable = ({ body }: HttpClientRequest.HttpClientRequest): boolean =>
  body._tag !== "Stream" && body._tag !== "Raw"

/** The caller's headers win over defaults, but not over the credential and those of the protocol. */
export const make = (
  { body, headers, method }: HttpClientRequest.HttpClientRequest,
  credential: Header | undefined,
  url: URL,
): HttpClientRequest.HttpClientRequest => {
  // Without those that are undefined.
  const all = {
    accept: "application/json",
    ...Headers.removeMany(headers, ofConnection),
    "content-length": "contentLength" in body ? body.contentLength?.toString() : undefined,
    ...(credential && { [credential.name]: Redacted.value(credential.value) }),
  }
  return HttpClientRequest.makeWith(method, url.href, UrlParams.empty, Option.none(), Headers.fromInput(all), body)
}

/**
 * Provides what the HTTP client reads from the context: redirects by hand, no tracing and no body limit by the platform, and the header names to
 * redact.
 */
export const provideSettings = <A, E>(
  effect: Effect.Effect<A, E>,
  {
    redactedHeaders,
    requestInit,
  }: { readonly redactedHeaders: ReadonlyArray<string>; readonly requestInit: RequestInit },
  span: Tracer.Span | undefined,
) =>
  Effect.updateContext(effect, (context: Context.Context<never>) =>
    (span === undefined ? context : Context.add(context, Tracer.ParentSpan, span)).pipe(
      Context.add(FetchHttpClient.RequestInit, requestInit),
      Context.add(HttpIncomingMessage.MaxBodySize, undefined),
      Context.add(HttpClient.TracerDisabledWhen, constTrue),
      Context.add(Headers.CurrentRedactedNames, [
        ...Context.get(context, Headers.CurrentRedactedNames),
        ...redactedHeaders,
      ]),
    ),
  )
