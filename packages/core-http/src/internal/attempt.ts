/** One attempt: sends a request with the credential, follows redirects, and reads the response. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { constTrue } from "effect/Function"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { ErrorBody } from "../ErrorBody.js"
import { BodyTooLarge, DecodeError, RedirectRefused, type TimeoutError, TransportError } from "../HttpError.js"
import * as Link from "../Link.js"
import { JsonText, noBody, type Request } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import { fromResponse } from "../ServiceError.js"
import * as body from "./body.js"
import type { Header } from "./credentialCache.js"
import * as errorResponse from "./errorResponse.js"
import { redact, sanitize, secretsOf } from "./redact.js"
import { isReserved } from "./reservedHeaders.js"
import { findCode, isInvalidRequest } from "./systemCode.js"
import * as telemetry from "./telemetry.js"

export interface Connection {
  readonly service: string
  readonly client: HttpClient.HttpClient
  readonly requestInit: RequestInit
  readonly redactedHeaders: ReadonlyArray<string>
  readonly trusted: ReadonlyArray<string>
  readonly parseErrorBody: (json: unknown) => ErrorBody
  readonly maxBodyBytes: number
  readonly userAgent: string | undefined
  readonly rateLimiter: Effect.Effect<void> | undefined
  readonly scope: Scope.Scope
}

export interface Attempt {
  readonly url: string
  readonly header: Header | undefined
  readonly secrets: () => ReadonlyArray<string>
  readonly timeout: Duration.Duration
  readonly onTimeout: () => TimeoutError
  readonly countResend: () => number
  readonly maybeApplied: boolean
}

export interface Success {
  readonly status: number
  readonly text: string
  readonly encoding: string | undefined
  readonly url: string
  readonly secrets: () => ReadonlyArray<string>
}

export interface Outcome {
  readonly result: Result.Result<Success, RequestError>
  readonly duration: Duration.Duration
}

/** Browsers report 0 for a redirect that they do not follow. */
const redirectStatuses = new Set([0, 301, 302, 303, 307, 308])

const maxRedirects = 5

const isSuccess = ({ method, success }: Request<unknown>, status: number): boolean =>
  success?.includes(status) ?? (status === 200 || (method !== "GET" && status > 200 && status < 300))

const makeRequest = (
  { userAgent }: Connection,
  { body: payload, method }: Request<unknown>,
  header: Header | undefined,
  url: string,
  additional: Readonly<Record<string, string>>,
): HttpClientRequest.HttpClientRequest => {
  const headers = {
    ...Headers.fromInput(Object.entries(additional).filter(([name]) => !isReserved(name))),
    accept: "application/json",
    ...(userAgent !== undefined && { "user-agent": userAgent }),
    ...(header && { [header.name.toLowerCase()]: Redacted.value(header.value) }),
  }
  const request = HttpClientRequest.make(method)(url, { headers })
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
const provideSettings = <A, E>(effect: Effect.Effect<A, E>, connection: Connection, span: Tracer.Span) =>
  Effect.updateContext(effect, (context: Context.Context<never>) =>
    context.pipe(
      Context.add(Tracer.ParentSpan, span),
      Context.add(FetchHttpClient.RequestInit, connection.requestInit),
      Context.add(HttpIncomingMessage.MaxBodySize, undefined),
      Context.add(HttpClient.TracerDisabledWhen, constTrue),
      Context.add(Headers.CurrentRedactedNames, [
        ...Context.get(context, Headers.CurrentRedactedNames),
        ...connection.redactedHeaders,
      ]),
    ),
  )

export const send = (
  connection: Connection,
  request: Request<unknown>,
  { countResend, header, onTimeout, maybeApplied, secrets, timeout, url }: Attempt,
): Effect.Effect<Outcome> => {
  const { headers = {}, method, operation } = request
  const isSecret = Redacted.isRedacted(request.url)
  const call = { service: connection.service, operation }

  /** Returns the URL of a redirect, or the response. */
  const hop = (
    url: URL,
    redirects: number,
    exchange: telemetry.Exchange,
  ): Effect.Effect<URL | Success, RequestError> => {
    const allSecrets = () => [...secrets(), ...secretsOf(url, isSecret)]

    const transportError = (cause: unknown) =>
      new TransportError({ ...call, origin: url.origin, code: findCode(cause), cause: sanitize(cause) })

    const bodyError = (error: body.BodyError) => {
      if (error._tag === "TooLarge") return new BodyTooLarge({ ...call, limit: connection.maxBodyBytes })
      return error._tag === "InvalidEncoding"
        ? new DecodeError({ ...call, path: "", reason: "cannot be decompressed" })
        : transportError(error.cause)
    }

    const redirect = ({ headers: { location }, status }: HttpClientResponse.HttpClientResponse) => {
      const refuse = (reason: RedirectRefused["reason"], target?: string) =>
        new RedirectRefused({
          ...call,
          reason,
          origin: url.origin,
          target: target && redact(target, allSecrets(), 300),
        })
      if (status === 0) return refuse("opaque")
      if (location === undefined) return refuse("malformed")
      const link = Link.resolve(url, location, connection.trusted)
      if (Result.isFailure(link)) return refuse(link.failure.reason, link.failure.target)
      const target = new URL(link.success)
      if (method !== "GET") return refuse("method", target.origin)
      return redirects === 0 ? refuse("limit") : Effect.succeed(target)
    }

    const read = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<URL | Success, RequestError> => {
      const { headers, status } = response
      exchange.status = status
      if (redirectStatuses.has(status))
        return Effect.andThen(
          Effect.forkIn(Effect.interruptible(body.discard(response)), connection.scope),
          redirect(response),
        )
      if (!isSuccess(request, status))
        return Effect.flatMap(errorResponse.read(call, response, connection.parseErrorBody, allSecrets()), (fields) =>
          Effect.fail(fromResponse({ ...fields, maybeApplied, credentialSource: header?.source })),
        )
      const text = Effect.mapError(body.text(response, headers, connection.maxBodyBytes), bodyError)
      const encoding = headers["content-encoding"]
      return Effect.map(text, (text) => ({ status, text, encoding, url: url.href, secrets: allSecrets }))
    }

    return Effect.flatMap(Effect.isEffect(headers) ? headers : Effect.succeed(headers), (headers) =>
      connection.client.execute(makeRequest(connection, request, header, url.href, headers)).pipe(
        // `transformClient` may make the client fail for error responses.
        Effect.catch((error) =>
          error.reason._tag === "StatusCodeError"
            ? Effect.succeed(error.reason.response)
            : Effect.fail(transportError(error.cause)),
        ),
        // Node's client throws for requests that it cannot write.
        Effect.catchDefect((defect) =>
          isInvalidRequest(findCode(defect)) ? Effect.fail(transportError(defect)) : Effect.die(defect),
        ),
        Effect.flatMap(read),
      ),
    )
  }

  const follow = (url: URL, redirects: number, elapsed: Duration.Duration): Effect.Effect<Outcome> =>
    Effect.suspend(() => {
      const exchange: telemetry.Exchange = {
        method,
        url,
        isSecret,
        resend: countResend(),
        status: undefined,
        duration: Duration.zero,
      }
      const sendOnce = (span: Tracer.Span) =>
        Effect.timeoutOrElse(provideSettings(hop(url, redirects, exchange), connection, span), {
          duration: Duration.subtract(timeout, elapsed),
          orElse: () => Effect.fail(onTimeout()),
        })
      return Effect.matchEffect(telemetry.trace(sendOnce, exchange), {
        onFailure: (error) =>
          Effect.succeed({ result: Result.fail(error), duration: Duration.sum(elapsed, exchange.duration) }),
        onSuccess: (response): Effect.Effect<Outcome> => {
          const duration = Duration.sum(elapsed, exchange.duration)
          return response instanceof URL
            ? Effect.andThen(connection.rateLimiter ?? Effect.void, follow(response, redirects - 1, duration))
            : Effect.succeed({ result: Result.succeed(response), duration })
        },
      })
    })

  return follow(new URL(url), maxRedirects, Duration.zero)
}
