/** The one place that talks HTTP: a guarded client of one service at one address. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constTrue } from "effect/Function"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Credential } from "./Credential.js"
import type { Decoder } from "./Decoder.js"
import type { ErrorBody } from "./ErrorBody.js"
import {
  BodyTooLarge,
  CredentialError,
  DecodeError,
  type LinkRefused,
  RedirectRefused,
  TimeoutError,
  TransportError,
} from "./HttpError.js"
import * as body from "./internal/body.js"
import * as retryAfter from "./internal/retryAfter.js"
import * as Link from "./Link.js"
import * as Origin from "./Origin.js"
import { type AnswerError, fromAnswer } from "./ServiceError.js"

/**
 * Everything that a request can fail with.
 *
 * @category errors
 * @since 0.1.0
 */
export type RequestError =
  | AnswerError
  | BodyTooLarge
  | CredentialError
  | DecodeError
  | LinkRefused
  | RedirectRefused
  | TimeoutError
  | TransportError

/**
 * How a service is reached.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Body extends ErrorBody, Encoded> {
  /** The service's base address, http or https. A path in it is kept. */
  readonly baseUrl: string
  readonly credential: Credential
  /** Reads the body of an answer that says no. A body that it refuses is an error without words. */
  readonly errorBody: Schema.Schema<Body, Encoded>
  /** For the whole answer, its body included. Default: 30 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** The largest body that is read, in bytes. Default: 32 MiB. */
  readonly maxBodyBytes?: number | undefined
}

/**
 * A GET of JSON. `operation` is its public name, for errors and spans; `decode` says what the JSON must be.
 *
 * @category models
 * @since 0.1.0
 */
export interface Get<A> {
  readonly operation: string
  readonly url: string
  readonly decode: Decoder<A>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Service {
  /** The address of a path (beginning with `/`, its segments encoded) under the base address. */
  readonly url: (path: string, query?: Readonly<Record<string, string>>) => string
  /** Sends a GET with the credential. An address of another origin than the service's is a `LinkRefused`. */
  readonly get: <A>(request: Get<A>) => Effect.Effect<A, RequestError>
}

/** Of an error's body, no more than this is read, in bytes. */
const maxErrorBytes = 64 * 1024

const systemCode = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string"
    ? error.code
    : Predicate.hasProperty(error, "cause")
      ? systemCode(error.cause)
      : undefined

const requestIdHeaders = ["x-ms-request-id", "x-request-id", "request-id"]

const requestId = (response: HttpClientResponse.HttpClientResponse) =>
  requestIdHeaders.map((name) => response.headers[name]).find((value) => value !== undefined)

const parseJson = (text: string) => Either.try(() => JSON.parse(text) as unknown)

/**
 * Makes a client of a service on top of the `HttpClient` that the application provides. The credential goes to the
 * origin of `baseUrl` only, redirects are not followed, and no error holds a secret.
 *
 * Fails with `LinkRefused` when the base address is none, and with `CredentialError` when the credential would travel in
 * clear.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Body extends ErrorBody, Encoded>({
  baseUrl,
  credential,
  errorBody,
  maxBodyBytes = 32 * 1024 * 1024,
  timeout = Duration.seconds(30),
}: Options<Body, Encoded>): Effect.Effect<Service, CredentialError | LinkRefused, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const base = yield* Origin.parseBase(baseUrl)
    if (credential._tag === "Header" && Origin.isExposed(base)) return yield* new CredentialError({ reason: "exposed" })
    const client = HttpClient.withTracerDisabledWhen(yield* HttpClient.HttpClient, constTrue)
    const init = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.RequestInit), () => ({}))
    const prefix = base.origin + base.pathname.replace(/\/+$/, "")
    const readErrorBody = Schema.decodeUnknownOption(errorBody)

    const transport = (operation: string) => (error: HttpClientError.HttpClientError) =>
      new TransportError({ operation, origin: base.origin, code: systemCode(error.cause) })

    const authorize = (request: HttpClientRequest.HttpClientRequest) =>
      credential._tag === "None"
        ? Effect.succeed(request)
        : Effect.map(credential.value, (value) =>
            HttpClientRequest.setHeader(request, credential.name, Redacted.value(value)),
          )

    const refusal = (operation: string, response: HttpClientResponse.HttpClientResponse) =>
      Effect.gen(function* () {
        const text = yield* Effect.option(body.text(response, maxErrorBytes))
        const words = Option.flatMap(text, (json) => Option.flatMap(Either.getRight(parseJson(json)), readErrorBody))
        return yield* fromAnswer({
          operation,
          status: response.status,
          code: Option.getOrUndefined(words)?.code ?? undefined,
          detail: Option.getOrUndefined(words)?.message ?? undefined,
          requestId: requestId(response),
          retryAfter: retryAfter.parse(response.headers["retry-after"], yield* Clock.currentTimeMillis),
        })
      })

    const redirect = (operation: string, response: HttpClientResponse.HttpClientResponse) => {
      const location = response.headers["location"]
      const target = location !== undefined && URL.canParse(location, base) ? new URL(location, base).origin : undefined
      return new RedirectRefused({ operation, origin: base.origin, target })
    }

    const answer = (
      operation: string,
      response: HttpClientResponse.HttpClientResponse,
    ): Effect.Effect<string, RequestError> => {
      // Status 0 is how a browser shows a redirect that it was told not to follow.
      if (response.status === 0 || (response.status >= 300 && response.status < 400))
        return redirect(operation, response)
      if (response.status !== 200) return refusal(operation, response)
      return Effect.mapError(body.text(response, maxBodyBytes), (error) =>
        error._tag === "TooLarge" ? new BodyTooLarge({ operation, limit: maxBodyBytes }) : transport(operation)(error),
      )
    }

    const send = (operation: string, url: string): Effect.Effect<string, RequestError> =>
      authorize(HttpClientRequest.get(url, { acceptJson: true })).pipe(
        Effect.flatMap((request) => Effect.mapError(client.execute(request), transport(operation))),
        Effect.provideService(FetchHttpClient.RequestInit, { ...init, redirect: "manual" }),
        Effect.flatMap((response) => answer(operation, response)),
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () => new TimeoutError({ operation, origin: base.origin, after: Duration.decode(timeout) }),
        }),
        Effect.withSpan(operation, { kind: "client", captureStackTrace: false }),
      )

    return {
      url: (path, query = {}) => {
        const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        return `${prefix}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
      },
      get: ({ decode, operation, url }) =>
        Link.resolve(base.href, url).pipe(
          Effect.flatMap((address) => send(operation, address)),
          Effect.flatMap((text) =>
            parseJson(text).pipe(
              Either.mapLeft(() => ({ path: "", reason: "is no JSON" })),
              Either.flatMap(decode),
              Either.mapLeft((issue) => new DecodeError({ operation, path: issue.path, reason: issue.reason })),
            ),
          ),
        ),
    }
  })
