/** One attempt of a call. The functions are in the order of its steps: timeout, redirects, request, response. */
import type * as Cookies from "effect/http/Cookies"
import type * as Headers from "effect/http/Headers"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ErrorBody } from "../ErrorBody.js"
import * as Link from "../Link.js"
import * as Reason from "../Reason.js"
import type { Options } from "../Request.js"
import { RequestError, type RequestReason } from "../RequestError.js"
import * as StatusReason from "../StatusReason.js"
import * as body from "./body.js"
import type { Header } from "./credentialCache.js"
import * as errorResponse from "./errorResponse.js"
import type { Gate } from "./gate.js"
import * as redaction from "./redact.js"
import * as httpRequest from "./httpRequest.js"
import { findCode, isInvalidRequest, isNotConnected } from "./systemCode.js"
import * as telemetry from "./telemetry.js"

export interface Connection {
  readonly parameters: redaction.Parameters
  readonly service: string
  readonly client: HttpClient.HttpClient
  readonly requestInit: RequestInit
  readonly redactedHeaders: ReadonlyArray<string>
  /** The origins that links and redirects may lead to. */
  readonly trusted: ReadonlyArray<string>
  readonly parseErrorBody: (json: unknown) => ErrorBody
  readonly maxBodyBytes: number
  readonly userAgent: string | undefined
  readonly gate: Gate
  readonly timeout: Duration.Duration
}

/** What one call has sent so far. */
export interface Call {
  readonly service: string
  /** The name in errors. */
  readonly operation: string
  readonly request: HttpClientRequest.HttpClientRequest
  readonly options: Options
  readonly url: URL
  /** The request as programs may print it. */
  readonly shown: HttpClientRequest.HttpClientRequest
  /** All secrets, also of the URLs so far. No error contains them. */
  readonly secrets: Array<string>
  readonly parameters: redaction.Parameters
  requests: number
  /** Also `true` while a request waits for its response. */
  maybeApplied: boolean
  /** Set before a timeout interrupts the request, to distinguish it from a cancelled one in telemetry. */
  hasTimedOut: boolean
  previousError: string | undefined
}

export interface Success {
  readonly status: number
  readonly headers: Headers.Headers
  readonly cookies: Cookies.Cookies
  readonly bytes: body.Content
  readonly url: URL
}

interface Attempt {
  readonly connection: Connection
  readonly call: Call
  readonly header: Header | undefined
}

const maxRedirects = 5

export const toError = (
  { maybeApplied, operation, service }: Pick<Call, "maybeApplied" | "operation" | "service">,
  reason: RequestReason,
): RequestError => new RequestError({ service, operation, reason, maybeApplied })

/** Adds secrets for good: a response may also repeat one of an earlier request. Each once, as there may be any number of attempts. */
export const hide = ({ secrets }: Call, added: ReadonlyArray<string>): void => {
  secrets.push(...added.filter((secret) => !secrets.includes(secret)))
}

export const send = (attempt: Attempt): Effect.Effect<Success, RequestError> => {
  const { call, connection } = attempt
  const followed = Effect.suspend(() => {
    call.hasTimedOut = false
    return follow(attempt, call.url, maxRedirects, connection.timeout)
  })
  return Effect.mapError(followed, (reason) => toError(call, reason))
}

/** `Effect.timeoutOrElse` interrupts the request before it runs its handler. */
export const withTimeout = <A, E>(
  effect: Effect.Effect<A, E>,
  call: Call,
  scope: Reason.Timeout["scope"],
  limit: Duration.Duration,
  timeLeft = limit,
): Effect.Effect<A, E | Reason.Timeout> =>
  Effect.raceFirst(
    effect,
    Effect.flatMap(Effect.sleep(timeLeft), () => {
      call.hasTimedOut = true
      const { previousError, url } = call
      return new Reason.Timeout({ origin: url.origin, scope, limit, previousError })
    }),
  )

/** The timeout covers the redirects and the bodies, but not the waits for the rate limit between them. */
const follow = (
  attempt: Attempt,
  url: URL,
  redirects: number,
  timeLeft: Duration.Duration,
): Effect.Effect<Success, RequestReason> => {
  const { call, connection } = attempt
  const exchanged = withTimeout(exchange(attempt, url, redirects), call, "attempt", connection.timeout, timeLeft)
  return Effect.flatMap(Effect.timed(exchanged), ([elapsed, result]) =>
    result instanceof URL
      ? Effect.andThen(
          connection.gate.next,
          follow(
            attempt,
            result,
            redirects - 1,
            Duration.millis(Duration.toMillis(timeLeft) - Duration.toMillis(elapsed)),
          ),
        )
      : Effect.succeed(result),
  )
}

/** Sends one request in a span. Returns the target of a redirect, or the response. */
const exchange = (attempt: Attempt, url: URL, redirects: number): Effect.Effect<URL | Success, RequestReason> => {
  const { call, connection, header } = attempt
  return Effect.suspend(() => {
    const { maybeApplied } = call
    // A redirect may lead to a URL that contains secrets of those before it.
    const shown = url === call.url ? call.shown : httpRequest.show(call, url)
    hide(call, redaction.secretsOf(url, call.options.isUrlSecret, call.parameters))
    // Until the response says otherwise.
    call.maybeApplied = true
    const request = httpRequest.make(connection.userAgent, call.request, header, url)
    const sent: telemetry.Exchange = {
      url,
      shown,
      resend: call.requests++,
      call,
      request,
      response: undefined,
    }
    const traced = telemetry.trace(sent, (request, span) => {
      const received = Effect.flatMap(execute(connection, request, url), (response) => {
        sent.response = response
        return read(attempt, url, redirects, response)
      })
      return httpRequest.provideSettings(received, connection, span)
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
}

/** A 303 leads to the result of a request, and an unexpected 2xx is a success as well. */
const mayBeApplied = (reason: RequestReason, status: number): boolean => {
  if (reason._tag === "Transport") return !isNotConnected(reason.code) && !isInvalidRequest(reason.code)
  return status < 300 || status === 303 || status >= 500
}

const transport = ({ origin }: URL, cause: unknown) =>
  new Reason.Transport({ origin, code: findCode(cause), cause: redaction.sanitize(cause) })

const execute = (
  { client }: Connection,
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
): Effect.Effect<HttpClientResponse.HttpClientResponse, Reason.Transport> =>
  client.execute(request).pipe(
    // `transformClient` may make the client fail for error responses.
    Effect.catch(({ cause, reason }) =>
      reason._tag === "StatusCodeError" ? Effect.succeed(reason.response) : transport(url, cause),
    ),
  )

/** Browsers report 0 for a redirect that they do not follow. */
const redirectStatuses = new Set([0, 301, 302, 303, 307, 308])

export const isOk = (status: number): boolean => status >= 200 && status < 300

/** The reason of an error response. */
export const toReason = (
  { parseErrorBody }: Connection,
  call: Call,
  header: Header | undefined,
  response: Parameters<typeof errorResponse.describe>[0],
): Effect.Effect<StatusReason.StatusReason> =>
  Effect.map(errorResponse.describe(response, parseErrorBody, call), (fields) =>
    StatusReason.fromResponse({ ...fields, credentialSource: header?.source }),
  )

const read = (
  { call, connection, header }: Attempt,
  url: URL,
  redirects: number,
  response: HttpClientResponse.HttpClientResponse,
): Effect.Effect<URL | Success, RequestReason> => {
  const { maxBodyBytes, trusted } = connection
  const { headers, status } = response
  if (redirectStatuses.has(status))
    // Before the next request, so that a redirect keeps no connection.
    return Effect.andThen(body.close(response), redirect(trusted, call, url, redirects, response))
  // The Fetch standard has no other status.
  if (status < 200 || status > 599 || !(call.options.accepts ?? isOk)(status))
    return Effect.flatMap(errorResponse.read(response), (bytes) =>
      Effect.flip(toReason(connection, call, header, { status, headers, bytes })),
    )
  // The `Content-Length` of a response to HEAD and of a 304 is that of a GET with 200.
  const bytes =
    call.request.method === "HEAD" || status === 304
      ? Effect.as(body.close(response), new Uint8Array())
      : body.bytes(response, headers, maxBodyBytes)
  return Effect.mapBoth(bytes, {
    onFailure: (error) => (error._tag === "HttpClientError" ? transport(url, error.cause) : error),
    onSuccess: (bytes) => ({ status, headers, cookies: response.cookies, bytes, url }),
  })
}

const redirect = (
  trusted: ReadonlyArray<string>,
  call: Call,
  url: URL,
  redirects: number,
  { headers: { location }, status }: HttpClientResponse.HttpClientResponse,
): Effect.Effect<URL, Reason.Redirect> => {
  const refuse = (problem: Reason.Redirect["problem"], target?: string) =>
    new Reason.Redirect({ problem, origin: url.origin, target: target && redaction.redact(target, call, 300) })
  if (status === 0) return refuse("opaque")
  if (location === undefined) return refuse("malformed")
  const link = Link.resolve(url, location, trusted)
  if (Result.isFailure(link)) return refuse(link.failure.problem, link.failure.target)
  const target = new URL(link.success)
  if (!["GET", "HEAD"].includes(call.request.method)) return refuse("method", target.origin)
  return redirects === 0 ? refuse("limit") : Effect.succeed(target)
}
