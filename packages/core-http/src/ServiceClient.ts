/** The client of one service at one base URL. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as Credential from "./Credential.js"
import * as Decoder from "./Decoder.js"
import * as ErrorBody from "./ErrorBody.js"
import { CredentialError, DecodeError, LinkRefused } from "./HttpError.js"
import type { Success } from "./internal/attempt.js"
import * as body from "./internal/body.js"
import * as credentialCache from "./internal/credentialCache.js"
import * as limits from "./internal/limits.js"
import { redact } from "./internal/redact.js"
import * as retries from "./internal/retries.js"
import * as settings from "./internal/settings.js"
import * as telemetry from "./internal/telemetry.js"
import * as Link from "./Link.js"
import * as Origin from "./Origin.js"
import type { Get, Request } from "./Request.js"
import type { RequestError } from "./RequestError.js"
import * as RetryPolicy from "./RetryPolicy.js"
import type { InvalidBaseUrl, InvalidSetting } from "./SettingsError.js"

/** The errors of making a client. @category errors @since 0.1.0 */
export type MakeError = CredentialError | InvalidBaseUrl | InvalidSetting

/** Options that are the same for every service. @category models @since 0.1.0 */
export interface Settings {
  /** Other origins, such as gateways, that links and redirects may lead to. They get the credential. Default: none. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /** The timeout of one attempt, including the body of the response. Default: 30 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** The timeout of all attempts and the waits between them. Excludes waits for `concurrency`, `rateLimit` and the credential. Default: 5 minutes. */
  readonly totalTimeout?: Duration.Input | undefined
  /** The retry policy. Default: `RetryPolicy.standard`. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  /** The maximum number of concurrent requests. Others wait, first in, first out. Default: 16. */
  readonly concurrency?: number | undefined
  /** The maximum number of requests per time: a token bucket. Others wait, first in, first out. Default: no limit. */
  readonly rateLimit?: { readonly requests: number; readonly per: Duration.Input } | undefined
  /** The maximum size of a decompressed body, in bytes. Default: 32 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** The header `User-Agent`. Default: that of the HTTP client. */
  readonly userAgent?: string | undefined
  /**
   * Wraps the `HttpClient`, for example to log. Must not read bodies, change them without their `content-length`, or follow redirects, which
   * would expose the credential. The caller does not see its changes of fiber refs.
   */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/** Options for making a client. @category models @since 0.1.0 */
export interface Options extends Settings {
  /** The name of the service in errors, such as `health`. */
  readonly service: string
  /** The base URL of the service, http or https. Its path is kept. */
  readonly baseUrl: string
  /** How requests authenticate. */
  readonly credential: Credential.Credential
  /**
   * Returns the code and message in the JSON of an error response, or in its text if it is not JSON. If it throws, the error has neither.
   * Default: `ErrorBody.fromJson`.
   */
  readonly parseErrorBody?: ((body: unknown) => ErrorBody.ErrorBody) | undefined
}

/** A decoded response with its URL. @category models @since 0.1.0 */
export interface WithUrl<A> {
  /** The decoded body. */
  readonly value: A
  /** The URL of the request or of the last redirect. `Link.toAbsolute` resolves links against it. */
  readonly url: string
}

/** A client of one service. It sends requests only to the origin of the service and to trusted origins. @category models @since 0.1.0 */
export interface Service {
  /** Makes the URL of a path, which begins with `/` and has encoded segments. */
  readonly url: (path: string, query?: Readonly<Record<string, string>>) => string
  /** Sends a GET request. Fails with `LinkRefused` for a URL of another origin. */
  readonly get: <A>(request: Get<A>) => Effect.Effect<A, RequestError>
  /** Sends a request of any method. */
  readonly request: <A>(request: Request<A>) => Effect.Effect<A, RequestError>
  /** Sends a request of any method, and returns the URL of the response, too. */
  readonly requestWithUrl: <A>(request: Request<A>) => Effect.Effect<WithUrl<A>, RequestError>
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/**
 * Makes a client on top of the application's `HttpClient`, which must not follow redirects by itself. Fails with `CredentialError` if the
 * credential would be sent over plain HTTP. Background work ends with the scope.
 * @category constructors @since 0.1.0
 */
export const make = ({
  baseUrl,
  concurrency = 16,
  credential,
  parseErrorBody = ErrorBody.fromJson,
  maxBodyBytes = 32 * 1024 * 1024,
  rateLimit,
  retry = RetryPolicy.standard,
  service,
  timeout = Duration.seconds(30),
  totalTimeout = Duration.minutes(5),
  transformClient = identity,
  trustedOrigins = [],
  userAgent,
}: Options): Effect.Effect<Service, MakeError, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const times = { timeout: Duration.fromInputUnsafe(timeout), totalTimeout: Duration.fromInputUnsafe(totalTimeout) }
    yield* settings.validate({ concurrency, maxBodyBytes, rateLimit, retry, userAgent, ...times })
    const base = yield* Effect.fromResult(Origin.parseBase(baseUrl))
    const origins = [
      base,
      ...(yield* Effect.forEach(trustedOrigins, (origin) => Effect.fromResult(Origin.parseTrusted(origin)))),
    ]
    if (credential._tag === "Header" && origins.some(Origin.isExposed))
      return yield* new CredentialError({ service, operation: undefined, reason: "exposed" })
    const trusted = origins.map(({ origin }) => origin)
    const requestInit = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.RequestInit), () => ({}))
    const scope = yield* Effect.scope
    const client: retries.Client = {
      connection: {
        service,
        scope,
        client: transformClient(yield* HttpClient.HttpClient),
        requestInit: { ...requestInit, redirect: "manual" },
        redactedHeaders: credential._tag === "Header" ? [credential.name] : [],
        trusted,
        parseErrorBody,
        maxBodyBytes,
        userAgent,
        rateLimiter: limits.rateLimiter(rateLimit),
      },
      credentials: credentialCache.make(credential, Duration.min(times.timeout, times.totalTimeout), scope),
      policy: retry,
      budget: retry.budget * 10,
      ...times,
    }
    const withPermit = limits.semaphore(concurrency)
    const prefix = Origin.append(base, "")

    const refuse = ({ operation, secrets = [] }: Request<unknown>, { target, ...refusal }: Link.Refusal) =>
      Effect.flatMap(
        Effect.orElseSucceed(client.credentials.get, () => undefined),
        (header) => {
          const all = [...secrets.map(Redacted.value), ...credentialCache.secretsOf(header)]
          return new LinkRefused({ ...refusal, service, operation, target: target && redact(target, all, 300) })
        },
      )

    const decode = <A>(request: Request<A>, { encoding, secrets, status, text, url }: Success) => {
      // The body of a 205 is ignored.
      const isEmpty = status === 204 || status === 205 || (text === "" && request.method !== "GET")
      const isIgnored = request.decode === Decoder.ignore
      const json = isEmpty || isIgnored ? Result.succeed(undefined) : body.json(text, encoding)
      return Effect.mapBoth(Effect.flatMap(Effect.fromResult(json), request.decode), {
        // The keys of a map are part of the path, and may contain anything.
        onFailure: ({ path, reason }) => {
          const clean = (text: string) => redact(text, secrets(), 200)
          return new DecodeError({ service, operation: request.operation, path: clean(path), reason: clean(reason) })
        },
        onSuccess: (value): WithUrl<A> => ({ value, url }),
      })
    }

    const send = <A>(request: Request<A>, pause: limits.Pause): Effect.Effect<WithUrl<A>, RequestError> => {
      const url = Redacted.isRedacted(request.url) ? Redacted.value(request.url) : request.url
      const link = Link.resolve(base, url, trusted)
      return Result.isFailure(link)
        ? refuse(request, link.failure)
        : Effect.flatMap(retries.send(client, request, link.success, pause), (success) => decode(request, success))
    }

    const requestWithUrl = <A>(request: Request<A>): Effect.Effect<WithUrl<A>, RequestError> =>
      // Inside the permit: a span and a generator would take most of the memory of a waiting request.
      withPermit((pause) =>
        telemetry.inSpan(request.operation, {}, (span) => Effect.withParentSpan(send(request, pause), span)),
      )

    const request = <A>(request: Request<A>): Effect.Effect<A, RequestError> =>
      Effect.map(requestWithUrl(request), ({ value }) => value)

    return {
      url: (path, query = {}) => {
        // `$` is legal in a query, and part of names such as `$filter`.
        const pairs = Object.entries(query).map(
          ([name, value]) => `${encode(name).replaceAll("%24", "$")}=${encode(value)}`,
        )
        return `${prefix}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
      },
      get: (get) => request({ ...get, method: "GET" }),
      request,
      requestWithUrl,
    }
  })
