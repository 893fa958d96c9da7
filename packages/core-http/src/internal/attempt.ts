/** One attempt of a call. The functions are in the order of its steps: timeout, redirects, request, response. */
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Reason from "../Reason.js"
import type { RequestError, RequestReason } from "../RequestError.js"
import * as body from "./body.js"
import { type Call, type Client, hide, type Success, toError } from "./client.js"
import type { CredentialCache } from "./credentialCache.js"
import * as errorResponse from "./errorResponse.js"
import * as redaction from "./redact.js"
import * as httpRequest from "./httpRequest.js"
import * as link from "./link.js"
import { findCode, isInvalidRequest, isNotConnected } from "./systemCode.js"
import * as telemetry from "./telemetry.js"

const maxRedirects = 5

/** Adds the credential to the call, and to its secrets. */
export const readHeader = (call: Call, header: CredentialCache["get"]): Effect.Effect<void, Reason.Credential> =>
  Effect.map(header, (header) => {
    call.header = header
    if (header !== undefined) hide(call, httpRequest.formsOf(header.value))
  })

export const send = (call: Call): Effect.Effect<Success, RequestError> =>
  Effect.mapError(follow(call, call.url, maxRedirects, Duration.toMillis(call.client.timeout)), (reason) =>
    toError(call, reason),
  )

/** `Effect.timeoutOrElse` interrupts the request before it runs its handler. */
export const withTimeout = <A, E>(
  effect: Effect.Effect<A, E>,
  call: Call,
  scope: Reason.Timeout["scope"],
  timeLeft: number,
): Effect.Effect<A, E | Reason.Timeout> =>
  Effect.raceFirst(
    effect,
    Effect.flatMap(Effect.sleep(timeLeft), () => {
      call.hasTimedOut = true
      const { client, previousError, requests, url } = call
      const limit = scope === "total" ? client.totalTimeout : client.timeout
      return new Reason.Timeout({ origin: url.origin, scope: requests === 0 ? "wait" : scope, limit, previousError })
    }),
  )

/** The timeout covers the redirects and the bodies, but not the waits for the rate limit and the credential between them. */
const follow = (call: Call, url: URL, redirects: number, timeLeft: number): Effect.Effect<Success, RequestReason> => {
  const exchanged = withTimeout(exchange(call, url, redirects), call, "attempt", timeLeft)
  return Effect.flatMap(Effect.timed(exchanged), ([elapsed, result]) => {
    if (!(result instanceof URL)) return Effect.succeed(result)
    const { credentials, gate } = call.client
    const next = follow(call, result, redirects - 1, timeLeft - Duration.toMillis(elapsed))
    return Effect.andThen(gate.next(readHeader(call, credentials.get), call.options.refusalKey), next)
  })
}

/** Sends one request in a span. Returns the target of a redirect, or the response. */
const exchange = (call: Call, url: URL, redirects: number): Effect.Effect<URL | Success, RequestReason> =>
  Effect.suspend(() => {
    const { client, maybeApplied } = call
    // A redirect may lead to a URL that contains secrets of those before it.
    const shown = url === call.url ? call.shown : httpRequest.show(call, url)
    hide(call, redaction.secretsOf(url, call.options.isUrlSecret, call.parameters))
    call.hasTimedOut = false
    // Until the response says otherwise.
    call.maybeApplied = true
    const request = httpRequest.make(call.request, call.header, url)
    const sent: telemetry.Exchange = { url, shown, resend: call.requests++, call, request, response: undefined }
    const traced = telemetry.trace(sent, (request, span) => {
      const received = Effect.flatMap(execute(client, request, url), (response) => {
        sent.response = response
        return read(call, url, redirects, response)
      })
      return httpRequest.provideSettings(received, client, span)
    })
    return Effect.mapBoth(traced, {
      onFailure: (reason) => {
        call.maybeApplied = maybeApplied || mayBeApplied(reason, sent.response?.status ?? 0)
        return reason
      },
      onSuccess: (result) => {
        if (result instanceof URL) call.maybeApplied = maybeApplied
        return result
      },
    })
  })

/** A 303 leads to the result of a request, and an unexpected 2xx is a success as well. */
const mayBeApplied = (reason: RequestReason, status: number): boolean => {
  if (reason._tag === "Transport") return !isNotConnected(reason.code) && !isInvalidRequest(reason.code)
  return status < 300 || status === 303 || status >= 500
}

const transport = ({ origin }: URL, cause: unknown) =>
  new Reason.Transport({ origin, code: findCode(cause), cause: redaction.sanitize(cause) })

const execute = (
  { http }: Client,
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
): Effect.Effect<HttpClientResponse.HttpClientResponse, Reason.Transport> =>
  http.execute(request).pipe(
    // `transformClient` may make the client fail for error responses.
    Effect.catch(({ cause, reason }) =>
      reason._tag === "StatusCodeError" ? Effect.succeed(reason.response) : transport(url, cause),
    ),
  )

/** What browsers report for a redirect that they do not follow. */
const opaque = 0

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export const isOk = (status: number): boolean => status >= 200 && status < 300

const read = (
  call: Call,
  url: URL,
  redirects: number,
  response: HttpClientResponse.HttpClientResponse,
): Effect.Effect<URL | Success, RequestReason> => {
  const { headers, status } = response
  if (status === opaque || (redirectStatuses.has(status) && call.options.redirect !== "manual"))
    // Before the next request, so that a redirect keeps no connection.
    return Effect.andThen(body.close(response), redirect(call, url, redirects, response))
  // The Fetch standard has no other status.
  if (status < 200 || status > 599 || !(call.options.accepts ?? isOk)(status))
    return Effect.flatMap(errorResponse.read(response), (bytes) =>
      Effect.flip(errorResponse.toReason(call, { status, headers, bytes })),
    )
  // The `Content-Length` of a response to HEAD and of a 304 is that of a GET with 200.
  const bytes =
    call.request.method === "HEAD" || status === 304
      ? Effect.as(body.close(response), new Uint8Array())
      : body.bytes(response, headers, call.client.maxBodyBytes)
  return Effect.mapBoth(bytes, {
    onFailure: (error) => (error._tag === "HttpClientError" ? transport(url, error.cause) : error),
    onSuccess: (bytes) => ({ status, headers, cookies: response.cookies, bytes, url }),
  })
}

const redirect = (
  call: Call,
  url: URL,
  redirects: number,
  { headers: { location }, status }: HttpClientResponse.HttpClientResponse,
): Effect.Effect<URL, Reason.Redirect> => {
  const refuse = (problem: Reason.Redirect["problem"], target?: string) =>
    new Reason.Redirect({ problem, origin: url.origin, target: target && redaction.redact(target, call, 300) })
  if (status === opaque) return refuse("opaque")
  if (location === undefined) return refuse("malformed")
  const target = link.resolve(url, location, call.client.trusted)
  if (Result.isFailure(target)) return refuse(target.failure.problem, target.failure.target)
  if (!["GET", "HEAD"].includes(call.request.method)) return refuse("method", target.success.origin)
  return redirects === 0 ? refuse("limit") : Effect.succeed(target.success)
}
