/** One attempt: a request goes out with the credential, redirects within the origin are followed, and the answer is read. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { ErrorBody } from "../ErrorBody.js"
import { BodyTooLarge, DecodeError, RedirectRefused, TransportError } from "../HttpError.js"
import * as Link from "../Link.js"
import type { Request } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import { fromAnswer } from "../ServiceError.js"
import * as body from "./body.js"
import * as vault from "./vault.js"
import * as words from "./words.js"

/** What a client was made with. */
export interface Wire {
  readonly client: HttpClient.HttpClient
  readonly trusted: ReadonlyArray<string>
  readonly readBody: (json: unknown) => Option.Option<ErrorBody>
  readonly maxBodyBytes: number
  readonly userAgent: string | undefined
  readonly propagateTrace: boolean
}

/** An answer that says yes: its status, its text, and where it came from in the end. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly url: string
}

/** Statuses that name another address. */
const redirects = new Set([301, 302, 303, 307, 308])

/** How many of them one request follows. */
const maxRedirects = 5

/** Statuses that have no body. */
const bodiless = new Set([204, 205])

const systemCode = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string"
    ? error.code
    : Predicate.hasProperty(error, "cause")
      ? systemCode(error.cause)
      : undefined

const outgoing = (
  { propagateTrace, userAgent }: Wire,
  { body: payload, method }: Request<unknown>,
  held: Option.Option<vault.Held>,
): Effect.Effect<(url: string) => HttpClientRequest.HttpClientRequest> =>
  Effect.map(propagateTrace ? Effect.option(Effect.currentSpan) : Effect.succeedNone, (span) => (url) => {
    const headers = {
      ...Option.match(held, { onNone: () => ({}), onSome: ({ name, value }) => ({ [name]: Redacted.value(value) }) }),
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
      ...Option.match(span, { onNone: () => ({}), onSome: HttpTraceContext.toHeaders }),
    }
    const request = HttpClientRequest.make(method)(url, { acceptJson: true, headers })
    return payload === undefined
      ? request
      : HttpClientRequest.bodyText(request, JSON.stringify(payload), "application/json")
  })

/** Sends the request, and follows it for as long as it may be followed. */
export const send = (
  wire: Wire,
  asked: Request<unknown>,
  url: string,
  held: Option.Option<vault.Held>,
): Effect.Effect<Answer, RequestError> => {
  const { method, operation, success = [200] } = asked
  const { origin } = new URL(url)
  const transport = (error: HttpClientError.HttpClientError) =>
    new TransportError({ operation, origin, code: systemCode(error.cause) })

  const bodyError = (error: body.BodyError): RequestError => {
    if (error._tag === "TooLarge") return new BodyTooLarge({ operation, limit: wire.maxBodyBytes })
    if (error._tag === "Undecodable") return new DecodeError({ operation, path: "", reason: "can't be decompressed" })
    return transport(error)
  }

  /** The address that a redirect leads to, if it may be followed. */
  const target = (
    from: URL,
    { headers, status }: HttpClientResponse.HttpClientResponse,
    left: number,
  ): Either.Either<string, RedirectRefused> => {
    const refuse = (reason: RedirectRefused["reason"], to?: string) =>
      Either.left(new RedirectRefused({ operation, reason, origin: from.origin, target: to }))
    const { location } = headers
    // Status 0 is how a browser shows a redirect that it was told not to follow.
    if (status === 0) return refuse("opaque")
    if (location === undefined) return refuse("malformed")
    return Either.match(Link.resolve(from, location, wire.trusted), {
      onLeft: ({ reason, target: to }) => refuse(reason, to),
      onRight: (next) => {
        if (method !== "GET") return refuse("method", new URL(next).origin)
        return left === 0 ? refuse("limit") : Either.right(next)
      },
    })
  }

  const read = (response: HttpClientResponse.HttpClientResponse, at: string): Effect.Effect<Answer, RequestError> => {
    const { status } = response
    if (!success.includes(status))
      return Effect.flip(Effect.map(words.read(operation, response, wire.readBody, vault.secrets(held)), fromAnswer))
    return bodiless.has(status)
      ? Effect.succeed({ status, text: "", url: at })
      : Effect.map(Effect.mapError(body.text(response, wire.maxBodyBytes), bodyError), (text) => ({
          status,
          text,
          url: at,
        }))
  }

  return Effect.flatMap(outgoing(wire, asked, held), (request) => {
    const follow = (at: string, left: number): Effect.Effect<Answer, RequestError> =>
      Effect.flatMap(Effect.mapError(wire.client.execute(request(at)), transport), (response) =>
        response.status === 0 || redirects.has(response.status)
          ? Effect.zipRight(
              body.discard(response),
              Effect.flatMap(target(new URL(at), response, left), (next) => follow(next, left - 1)),
            )
          : read(response, at),
      )
    return follow(url, maxRedirects)
  })
}
