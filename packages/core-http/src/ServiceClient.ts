/** The one place that talks HTTP: a guarded client of one service at one address. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
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
import * as ErrorBody from "./ErrorBody.js"
import {
  BodyTooLarge,
  CredentialError,
  DecodeError,
  type InvalidBaseUrl,
  LinkRefused,
  RedirectRefused,
  TimeoutError,
  TransportError,
} from "./HttpError.js"
import * as body from "./internal/body.js"
import { withSpan } from "./internal/span.js"
import * as words from "./internal/words.js"
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
 * Why a client can't be made.
 *
 * @category errors
 * @since 0.1.0
 */
export type MakeError = CredentialError | InvalidBaseUrl

/**
 * How a service is reached.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Body extends ErrorBody.ErrorBody = ErrorBody.ErrorBody, Encoded = unknown> {
  /** The service's base address, http or https. A path in it is kept. */
  readonly baseUrl: string
  readonly credential: Credential
  /** Reads the JSON of an answer that says no; one that it refuses has no words. Default: `ErrorBody.FromBody`. */
  readonly errorBody?: Schema.Schema<Body, Encoded> | undefined
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

const systemCode = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string"
    ? error.code
    : Predicate.hasProperty(error, "cause")
      ? systemCode(error.cause)
      : undefined

const parseJson = (text: string) =>
  Either.try({ try: () => JSON.parse(text) as unknown, catch: () => ({ path: "", reason: "is no JSON" }) })

/** Statuses that name another address. */
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Makes a client of a service on top of the `HttpClient` that the application provides. The credential goes to the
 * origin of `baseUrl` only, redirects are not followed, and no error holds a secret.
 *
 * Fails with `InvalidBaseUrl` when the base address is none, and with `CredentialError` when the credential would travel in
 * clear.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Body extends ErrorBody.ErrorBody = ErrorBody.ErrorBody, Encoded = unknown>({
  baseUrl,
  credential,
  errorBody,
  maxBodyBytes = 32 * 1024 * 1024,
  timeout = Duration.seconds(30),
}: Options<Body, Encoded>): Effect.Effect<Service, MakeError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const base = yield* Origin.parseBase(baseUrl)
    if (credential._tag === "Header" && Origin.isExposed(base)) return yield* new CredentialError({ reason: "exposed" })
    const named = credential._tag === "Header" ? [credential.name] : []
    const client = (yield* HttpClient.HttpClient).pipe(
      HttpClient.withTracerDisabledWhen(constTrue),
      // Whoever logs requests sees this header as `<redacted>`; the default names do not include every credential's.
      HttpClient.transformResponse(Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, ...named])),
    )
    const init = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.RequestInit), () => ({}))
    const prefix = base.origin + base.pathname.replace(/\/+$/, "")
    const readBody: (json: unknown) => Option.Option<ErrorBody.ErrorBody> =
      errorBody === undefined ? Schema.decodeUnknownOption(ErrorBody.FromBody) : Schema.decodeUnknownOption(errorBody)

    const transport = (operation: string) => (error: HttpClientError.HttpClientError) =>
      new TransportError({ operation, origin: base.origin, code: systemCode(error.cause) })

    /** What is sent as the credential, in the clear: for the header, and to keep it out of what comes back. */
    const secret =
      credential._tag === "None" ? Effect.succeedNone : Effect.asSome(Effect.map(credential.value, Redacted.value))

    const redirect = (operation: string, response: HttpClientResponse.HttpClientResponse) => {
      const location = response.headers["location"]
      const url = location !== undefined && URL.canParse(location, base) ? new URL(location, base) : undefined
      const target = url !== undefined && Origin.isHttp(url) ? url.origin : undefined
      return Effect.zipRight(body.discard(response), new RedirectRefused({ operation, origin: base.origin, target }))
    }

    const answer = (
      operation: string,
      response: HttpClientResponse.HttpClientResponse,
      sent: Option.Option<string>,
    ): Effect.Effect<string, RequestError> => {
      // Status 0 is how a browser shows a redirect that it was told not to follow.
      if (response.status === 0 || redirects.has(response.status)) return redirect(operation, response)
      if (response.status !== 200) {
        const secrets = Option.match(sent, {
          onNone: () => [],
          onSome: (value) => [value, value.replace(/^Bearer /, "")],
        })
        return Effect.flip(Effect.map(words.read(operation, response, readBody, secrets), fromAnswer))
      }
      return Effect.mapError(body.text(response, maxBodyBytes), (error) =>
        error._tag === "TooLarge" ? new BodyTooLarge({ operation, limit: maxBodyBytes }) : transport(operation)(error),
      )
    }

    const send = (operation: string, url: string): Effect.Effect<string, RequestError> =>
      Effect.gen(function* () {
        const sent = yield* secret
        const bare = HttpClientRequest.get(url, { acceptJson: true })
        const request =
          credential._tag === "Header" && Option.isSome(sent)
            ? HttpClientRequest.setHeader(bare, credential.name, sent.value)
            : bare
        const response = yield* Effect.mapError(client.execute(request), transport(operation))
        return yield* answer(operation, response, sent)
      }).pipe(
        Effect.provideService(FetchHttpClient.RequestInit, { ...init, redirect: "manual" }),
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () => new TimeoutError({ operation, origin: base.origin, after: Duration.decode(timeout) }),
        }),
      )

    return {
      url: (path, query = {}) => {
        const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        return `${prefix}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
      },
      get: ({ decode, operation, url }) =>
        Link.resolve(base, url).pipe(
          Either.mapLeft((refusal) => new LinkRefused({ ...refusal, operation })),
          Effect.flatMap((address) => send(operation, address)),
          Effect.flatMap((text) =>
            parseJson(text).pipe(
              Either.flatMap(decode),
              Either.mapLeft(({ path, reason }) => new DecodeError({ operation, path, reason })),
            ),
          ),
          (effect) => withSpan(effect, operation),
        ),
    }
  })
