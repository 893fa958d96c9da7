/** One attempt: sends a request with the credential, follows redirects, and reads the response. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { ErrorBody } from "../ErrorBody.js"
import { BodyTooLarge, DecodeError, RedirectRefused, type TimeoutError, TransportError } from "../HttpError.js"
import * as Link from "../Link.js"
import { JsonText, noBody, type Request } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import { fromAnswer } from "../ServiceError.js"
import * as body from "./body.js"
import type { Header } from "./credentialCache.js"
import * as errorResponse from "./errorResponse.js"
import { redact, sanitize, secretsOf } from "./redact.js"
import { codeOf, isUnsendable } from "./systemCode.js"
import * as telemetry from "./telemetry.js"

/** How a client sends requests. */
export interface Connection {
  /** The name of the service, for errors. */
  readonly service: string
  readonly client: HttpClient.HttpClient
  /** The origins that links and redirects may lead to. */
  readonly trusted: ReadonlyArray<string>
  readonly errorBody: (json: unknown) => ErrorBody
  readonly maxBodyBytes: number
  readonly userAgent: string | undefined
  readonly propagateTrace: boolean
  readonly rateLimiter: Effect.Effect<void>
  /** The scope of the client. Background fibers end with it. */
  readonly scope: Scope.Scope
}

/** The state of one attempt. */
export interface Attempt {
  readonly url: string
  readonly header: Header | undefined
  /** The texts that no error may contain. */
  readonly secrets: ReadonlyArray<string>
  /** How long the attempt may take, and its error if it takes longer. */
  readonly limit: Duration.Duration
  readonly onTimeout: () => TimeoutError
  /** Counts the requests that are sent. */
  readonly resend: () => number
  /** Whether an earlier attempt may have been carried out. */
  readonly repeated: boolean
}

/** A success response. */
export interface Success {
  readonly status: number
  readonly text: string
  readonly encoding: string | undefined
  /** The URL of the last redirect. */
  readonly url: string
  readonly secrets: ReadonlyArray<string>
}

/** The outcome of an attempt, and how long it took, without waiting for the rate limit. */
export interface Outcome {
  readonly result: Either.Either<Success, RequestError>
  readonly took: Duration.Duration
}

/** Status codes of redirects. Browsers report 0 for a redirect that is not followed. */
const redirects = new Set([0, 301, 302, 303, 307, 308])

const maxRedirects = 5

/** A host name has at most 253 characters. */
const maxOriginLength = 300

const isSuccess = ({ method, success }: Request<unknown>, status: number): boolean =>
  success?.includes(status) ?? (status === 200 || (method !== "GET" && status > 200 && status < 300))

/** The headers that carry the current span. Without a tracer, the span has no valid ID. */
const traceHeaders = Effect.match(Effect.currentSpan, {
  onFailure: () => ({}),
  onSuccess: (span) => (/^[0-9a-f]{32}$/.test(span.traceId) ? HttpTraceContext.toHeaders(span) : {}),
})

const requestOf = (
  { propagateTrace, userAgent }: Connection,
  { body: payload, method }: Request<unknown>,
  header: Header | undefined,
  url: string,
): Effect.Effect<HttpClientRequest.HttpClientRequest> =>
  Effect.map(propagateTrace ? traceHeaders : Effect.succeed({}), (trace) => {
    const headers = {
      ...trace,
      ...(userAgent !== undefined && { "user-agent": userAgent }),
      ...(header && { [header.name]: Redacted.value(header.value) }),
    }
    const request = HttpClientRequest.make(method)(url, { acceptJson: true, headers })
    if (payload === undefined || payload === noBody) return request
    const text = payload instanceof JsonText ? payload.text : JSON.stringify(payload)
    return HttpClientRequest.bodyText(request, text, "application/json")
  })

/** Sends the request and follows its redirects. */
export const send = (
  connection: Connection,
  request: Request<unknown>,
  { header, limit, onTimeout, repeated, resend, secrets, url }: Attempt,
): Effect.Effect<Outcome> => {
  const { method, operation } = request
  const call = { service: connection.service, operation }

  /** One request that is sent. Returns the URL of a redirect, or the response. */
  const hop = (at: URL, left: number, outgoing: telemetry.Outgoing): Effect.Effect<URL | Success, RequestError> => {
    const hidden = [...secrets, ...secretsOf(at)]

    const transportError = (cause: unknown) =>
      new TransportError({
        ...call,
        origin: at.origin,
        code: codeOf(cause),
        cause: sanitize(cause),
      })

    const bodyError = (error: body.BodyError) => {
      if (error._tag === "TooLarge") return new BodyTooLarge({ ...call, limit: connection.maxBodyBytes })
      return error._tag === "Undecodable"
        ? new DecodeError({ ...call, path: "", reason: "cannot be decompressed" })
        : transportError(error.cause)
    }

    const redirect = ({ headers: { location }, status }: HttpClientResponse.HttpClientResponse) => {
      const refuse = (reason: RedirectRefused["reason"], target?: string) =>
        new RedirectRefused({
          ...call,
          reason,
          origin: at.origin,
          target: target && redact(target, hidden, maxOriginLength),
        })
      if (status === 0) return refuse("opaque")
      if (location === undefined) return refuse("malformed")
      const link = Link.resolve(at, location, connection.trusted)
      if (Either.isLeft(link)) return refuse(link.left.reason, link.left.target)
      const target = new URL(link.right)
      if (method !== "GET") return refuse("method", target.origin)
      return left === 0 ? refuse("limit") : Effect.succeed(target)
    }

    const read = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<URL | Success, RequestError> => {
      const { headers, status } = response
      outgoing.status = status
      if (redirects.has(status))
        return Effect.zipRight(
          Effect.forkIn(Effect.interruptible(body.discard(response)), connection.scope),
          redirect(response),
        )
      if (!isSuccess(request, status))
        return Effect.flatMap(errorResponse.read(call, response, connection.errorBody, hidden), (answer) =>
          Effect.fail(fromAnswer({ ...answer, repeated })),
        )
      // 204 and 205 have no body.
      const text =
        status === 204 || status === 205
          ? Effect.succeed("")
          : Effect.mapError(body.text(response, connection.maxBodyBytes), bodyError)
      const encoding = headers["content-encoding"]
      return Effect.map(text, (text) => ({ status, text, encoding, url: at.href, secrets: hidden }))
    }

    return Effect.flatMap(requestOf(connection, request, header, at.href), (sent) =>
      connection.client.execute(sent).pipe(
        // A client that rejects responses by their status code: here, error responses are told apart.
        Effect.catchAll((error) =>
          error._tag === "ResponseError" && error.reason === "StatusCode"
            ? Effect.succeed(error.response)
            : Effect.fail(transportError(error.cause)),
        ),
        // Node's client throws if it cannot write a request.
        Effect.catchSomeDefect((defect) =>
          isUnsendable(codeOf(defect)) ? Option.some(transportError(defect)) : Option.none(),
        ),
        Effect.flatMap(read),
      ),
    )
  }

  /** `before` is how long the redirects before took. */
  const follow = (at: URL, left: number, before: Duration.Duration): Effect.Effect<Outcome> => {
    const outgoing: telemetry.Outgoing = { method, url: at, resend: resend() }
    const inTime = { duration: Duration.subtract(limit, before), onTimeout }
    return telemetry
      .hideResult(hop(at, left, outgoing), (hidden) => telemetry.request(Effect.timeoutFail(hidden, inTime), outgoing))
      .pipe(
        Effect.either,
        Effect.timed,
        Effect.flatMap(([last, result]): Effect.Effect<Outcome> => {
          const took = Duration.sum(before, last)
          if (Either.isLeft(result)) return Effect.succeed({ result: Either.left(result.left), took })
          return result.right instanceof URL
            ? Effect.zipRight(connection.rateLimiter, follow(result.right, left - 1, took))
            : Effect.succeed({ result: Either.right(result.right), took })
        }),
      )
  }

  return follow(new URL(url), maxRedirects, Duration.zero)
}
