/** One attempt: a request goes out with the credential, redirects within the origin are followed, and the answer is read. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { ErrorBody } from "../ErrorBody.js"
import { BodyTooLarge, DecodeError, RedirectRefused, type TimeoutError, TransportError } from "../HttpError.js"
import * as Link from "../Link.js"
import { JsonText, noBody, type Request } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import { fromAnswer } from "../ServiceError.js"
import { aside } from "./aside.js"
import * as body from "./body.js"
import { sanitize } from "./cause.js"
import * as connection from "./connection.js"
import { redactText, withoutPaths } from "./redactText.js"
import { secretsOf } from "./redactUrl.js"
import * as telemetry from "./telemetry.js"
import type { Held } from "./vault.js"
import * as words from "./words.js"

/** What a client was made with. */
export interface Wire {
  /** The name of the service, for errors. */
  readonly service: string
  readonly client: HttpClient.HttpClient
  readonly trusted: ReadonlyArray<string>
  readonly readBody: (json: unknown) => Option.Option<ErrorBody>
  readonly maxBodyBytes: number
  readonly userAgent: string | undefined
  readonly propagateTrace: boolean
  /** Waits until another request may leave. */
  readonly turn: Effect.Effect<void>
  /** The scope of the client. Background fibers end with it. */
  readonly scope: Scope.Scope
}

/**
 * What one attempt is given: `resend` counts what leaves, `secrets` is what must not be seen in what comes back, `repeated` whether
 * an attempt before it may have been carried out.
 */
export interface Attempt {
  readonly url: string
  readonly held: Option.Option<Held>
  readonly secrets: ReadonlyArray<string>
  readonly limit: Duration.Duration
  readonly late: () => TimeoutError
  readonly resend: () => number
  readonly repeated: boolean
}

/** An answer that says yes: its status and text, how it was encoded, and where it came from in the end. */
export interface Answer {
  readonly _tag: "Answer"
  readonly status: number
  readonly text: string
  readonly encoding: string | undefined
  readonly url: string
  /** What must not be seen in errors about the text. */
  readonly secrets: ReadonlyArray<string>
}

/** What an attempt came to, and how long it took, time in line not counted. */
export interface Attempted {
  readonly came: Either.Either<Answer, RequestError>
  readonly took: Duration.Duration
}

interface Redirect {
  readonly _tag: "Redirect"
  readonly to: string
}

/** Statuses that name another address; 0 is how a browser shows them to one who will not follow. */
const redirects = new Set([0, 301, 302, 303, 307, 308])

/** A host may have 253 characters. */
const maxOriginLength = 300

/** How many of them one request follows. */
const maxRedirects = 5

/** Statuses that have no body. */
const bodiless = new Set([204, 205])

/** The first code in a chain of causes, which may be a circle. */
const systemCode = (error: unknown, depth = 5): string | undefined => {
  if (depth === 0) return undefined
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  return Predicate.hasProperty(error, "cause") ? systemCode(error.cause, depth - 1) : undefined
}

const isSuccess = ({ method, success }: Request<unknown>, status: number): boolean =>
  success?.includes(status) ?? (status === 200 || (method !== "GET" && status > 200 && status < 300))

/** The request as it leaves, in the span that is current then. */
const outgoing = (
  { propagateTrace, userAgent }: Wire,
  { body: payload, method }: Request<unknown>,
  held: Option.Option<Held>,
  url: string,
): Effect.Effect<HttpClientRequest.HttpClientRequest> =>
  Effect.map(propagateTrace ? Effect.option(Effect.currentSpan) : Effect.succeedNone, (current) => {
    // Where tracing is off, there is a span that is none.
    const span = Option.filter(current, ({ traceId }) => /^[0-9a-f]{32}$/.test(traceId))
    const headers = {
      ...Option.match(span, { onNone: () => ({}), onSome: HttpTraceContext.toHeaders }),
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
      ...Option.match(held, { onNone: () => ({}), onSome: ({ name, value }) => ({ [name]: Redacted.value(value) }) }),
    }
    const request = HttpClientRequest.make(method)(url, { acceptJson: true, headers })
    return payload === undefined || payload === noBody
      ? request
      : HttpClientRequest.bodyText(
          request,
          payload instanceof JsonText ? payload.text : JSON.stringify(payload),
          "application/json",
        )
  })

/** Sends the request, and follows it for as long as it may be followed. */
export const send = (
  wire: Wire,
  asked: Request<unknown>,
  { held, late, limit, repeated, resend, secrets, url }: Attempt,
): Effect.Effect<Attempted> => {
  const { method, operation } = asked
  const call = { service: wire.service, operation }

  /** The error of the HTTP client; `error` is the cause it gives. */
  const transport = (at: URL, error: unknown) => {
    const hidden = [...secrets, ...secretsOf(at)]
    return new TransportError({
      ...call,
      origin: at.origin,
      code: systemCode(error),
      cause: sanitize(error, (message) => redactText(withoutPaths(message), hidden, 500)),
    })
  }

  const bodyError = (at: URL, error: body.BodyError): RequestError => {
    if (error._tag === "TooLarge") return new BodyTooLarge({ ...call, limit: wire.maxBodyBytes })
    if (error._tag === "Undecodable") return new DecodeError({ ...call, path: "", reason: "cannot be decompressed" })
    return transport(at, error.cause)
  }

  /** The address that a redirect leads to, if it may be followed. */
  const target = (
    from: URL,
    { headers, status }: HttpClientResponse.HttpClientResponse,
    left: number,
  ): Either.Either<Redirect, RedirectRefused> => {
    const refuse = (reason: RedirectRefused["reason"], to?: string) => {
      const named = to === undefined ? undefined : redactText(to, [...secrets, ...secretsOf(from)], maxOriginLength)
      return Either.left(new RedirectRefused({ ...call, reason, origin: from.origin, target: named }))
    }
    const { location } = headers
    if (status === 0) return refuse("opaque")
    if (location === undefined) return refuse("malformed")
    return Either.match(Link.resolve(from, location, wire.trusted), {
      onLeft: ({ reason, target: to }) => refuse(reason, to),
      onRight: (to) => {
        if (method !== "GET") return refuse("method", new URL(to).origin)
        return left === 0 ? refuse("limit") : Either.right({ _tag: "Redirect", to })
      },
    })
  }

  const read = (response: HttpClientResponse.HttpClientResponse, at: URL): Effect.Effect<Answer, RequestError> => {
    const { headers, status } = response
    const hidden = [...secrets, ...secretsOf(at)]
    if (!isSuccess(asked, status)) {
      const said = words.read(call, response, wire.readBody, hidden)
      return Effect.flip(Effect.map(said, (answer) => fromAnswer({ ...answer, repeated })))
    }
    const text = bodiless.has(status)
      ? Effect.succeed("")
      : Effect.mapError(body.text(response, wire.maxBodyBytes), (error) => bodyError(at, error))
    const encoding = headers["content-encoding"]
    return Effect.map(text, (sent): Answer => ({
      _tag: "Answer",
      status,
      text: sent,
      encoding,
      url: at.href,
      secrets: hidden,
    }))
  }

  /** One request that leaves, and what it is answered with. */
  const hop = (at: URL, left: number, answered: (status: number) => void) =>
    Effect.flatMap(outgoing(wire, asked, held, at.href), (request) =>
      wire.client.execute(request).pipe(
        // A client that rejects responses by their status code: here, error responses are told apart.
        Effect.catchAll((error) =>
          error._tag === "ResponseError" && error.reason === "StatusCode"
            ? Effect.succeed(error.response)
            : Effect.fail(transport(at, error.cause)),
        ),
        // Node's client throws at a request that it cannot write.
        Effect.catchSomeDefect((defect) =>
          connection.isUnsendable(systemCode(defect)) ? Option.some(transport(at, defect)) : Option.none(),
        ),
        Effect.flatMap((response): Effect.Effect<Answer | Redirect, RequestError> => {
          answered(response.status)
          if (!redirects.has(response.status)) return read(response, at)
          const discarded = Effect.forkIn(Effect.interruptible(body.discard(response)), wire.scope)
          return Effect.zipRight(discarded, target(at, response, left))
        }),
      ),
    )

  /** `before` is what the hops before took. */
  const follow = (at: URL, left: number, before: Duration.Duration): Effect.Effect<Attempted> => {
    let status: number | undefined
    const answered = (code: number) => {
      status = code
    }
    const inTime = { duration: Duration.subtract(limit, before), onTimeout: late }
    const leaving = { method, url: at, resend: resend(), status: () => status }
    return aside(hop(at, left, answered), (inner) =>
      telemetry.request(Effect.timeoutFail(inner, inTime), leaving),
    ).pipe(
      Effect.either,
      Effect.timed,
      Effect.flatMap(([last, hopped]) => {
        const took = Duration.sum(before, last)
        if (Either.isLeft(hopped)) return Effect.succeed({ came: Either.left(hopped.left), took })
        return hopped.right._tag === "Answer"
          ? Effect.succeed({ came: Either.right(hopped.right), took })
          : Effect.zipRight(wire.turn, follow(new URL(hopped.right.to), left - 1, took))
      }),
    )
  }

  return follow(new URL(url), maxRedirects, Duration.zero)
}
