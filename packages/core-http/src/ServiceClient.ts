/** The client of one service at one base URL. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constTrue, identity } from "effect/Function"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Credential from "./Credential.js"
import * as ErrorBody from "./ErrorBody.js"
import { CredentialError, DecodeError, LinkRefused } from "./HttpError.js"
import * as body from "./internal/body.js"
import * as credentialCache from "./internal/credentialCache.js"
import * as limits from "./internal/limits.js"
import { redact } from "./internal/redact.js"
import * as retries from "./internal/retries.js"
import * as settings from "./internal/settings.js"
import { hideResult } from "./internal/telemetry.js"
import * as Link from "./Link.js"
import * as Origin from "./Origin.js"
import type { Get, Request } from "./Request.js"
import type { RequestError } from "./RequestError.js"
import * as RetryPolicy from "./RetryPolicy.js"
import type { InvalidBaseUrl, InvalidSetting } from "./SettingsError.js"

/** Why a client can't be made.
 * @category errors
 * @since 0.1.0 */
export type MakeError = CredentialError | InvalidBaseUrl | InvalidSetting

/** How many requests may be sent in a time: `requests` at once, and as many more as time passes.
 * @category models
 * @since 0.1.0 */
export interface RateLimit {
  readonly requests: number
  /** The time in which that many may be sent. */
  readonly per: Duration.DurationInput
}

/** The limits of a client, and how it sends requests. The same for every service.
 * @category models
 * @since 0.1.0 */
export interface Settings {
  /** Other origins, such as gateways, that links and redirects may lead to. They get the credential. Default: none. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /** For one attempt, including the body of the response. Default: 30 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** For all attempts at a request and the waits between them. Waiting for `concurrency` and `rateLimit` does not count. Default: 5 minutes. */
  readonly totalTimeout?: Duration.DurationInput | undefined
  /** When a request is sent again. Default: `RetryPolicy.standard`. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  /** How many requests are sent at once. Others wait, first in, first out. Default: 16. */
  readonly concurrency?: number | undefined
  /** How many requests are sent in a time. Others wait, first in, first out. Default: no limit. */
  readonly rateLimit?: RateLimit | undefined
  /** The largest body that is read, in bytes, decompressed. Default: 32 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** The header `User-Agent`. Default: that of the HTTP client. */
  readonly userAgent?: string | undefined
  /** Whether requests carry the headers of the current trace (`traceparent`, `b3`). Default: `false`. */
  readonly propagateTrace?: boolean | undefined
  /** Changes the `HttpClient`, for example to log, to use a proxy or to add headers. Do not follow redirects in it
   * (`HttpClient.followRedirects`): the credential would be sent to any origin. Do not read bodies in it: they can be read once. */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/** Options for making a client.
 * @category models
 * @since 0.1.0 */
export interface Options extends Settings {
  /** The name of the service, such as `health`. Every request error carries it, which tells the errors of several clients apart. */
  readonly service: string
  /** The base URL of the service, http or https. Its path is kept. */
  readonly baseUrl: string
  /** How requests authenticate. */
  readonly credential: Credential.Credential
  /** Reads the JSON of an error response. If it throws, the error has no code and no message. Default: `ErrorBody.fromJson`. */
  readonly errorBody?: ((json: unknown) => ErrorBody.ErrorBody) | undefined
}

/** A decoded response with its URL.
 * @category models
 * @since 0.1.0 */
export interface WithUrl<A> {
  /** The decoded body. */
  readonly value: A
  /** The URL of the request, or of the last redirect. Links in the response are relative to it (`Link.absolute`). */
  readonly url: string
}

/** A client of one service. It sends requests to the origin of the service and to trusted origins only.
 * @category models
 * @since 0.1.0 */
export interface Service {
  /** The URL of a path under the base URL. `path` begins with `/`, and its segments are encoded. */
  readonly url: (path: string, query?: Readonly<Record<string, string>>) => string
  /** Sends a GET with the credential. Fails with `LinkRefused` for a URL of another origin. */
  readonly get: <A>(request: Get<A>) => Effect.Effect<A, RequestError>
  /** Sends a GET like `get`, and returns the URL of the response, too. */
  readonly getWithUrl: <A>(request: Get<A>) => Effect.Effect<WithUrl<A>, RequestError>
  /** Sends a request of any method, by the same rules. */
  readonly request: <A>(request: Request<A>) => Effect.Effect<A, RequestError>
}

/** Encodes a part of a query. An unpaired surrogate becomes U+FFFD, as in URLs. */
const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"))

/** Turns off that fetch follows redirects and that the platform traces requests. */
const guarded = (client: HttpClient.HttpClient, init: RequestInit, redacted: ReadonlyArray<string>) =>
  client.pipe(
    HttpClient.withTracerDisabledWhen(constTrue),
    HttpClient.transformResponse((response) =>
      response.pipe(
        Effect.provideService(FetchHttpClient.RequestInit, { ...init, redirect: "manual" }),
        // Loggers of requests show these headers as `<redacted>`. The default names do not include every credential's.
        Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, ...redacted]),
      ),
    ),
  )

/** Makes a client of a service on top of the application's `HttpClient`. The credential is sent to the origin of `baseUrl` and to
 * `trustedOrigins` only, wherever links and redirects lead. No error contains a secret.
 *
 * What the client does in the background, such as fetching the credential, ends with the scope. Fails with `InvalidBaseUrl` if a URL
 * is invalid, with `InvalidSetting` if another option is, and with `CredentialError` if the credential would be sent over plain HTTP.
 *
 * Redirects that an `HttpClient` follows by itself cannot be prevented. The fetch client is configured not to follow them; the other
 * clients of `@effect/platform` never do.
 * @category constructors
 * @since 0.1.0 */
export const make = ({
  baseUrl,
  concurrency = 16,
  credential,
  errorBody = ErrorBody.fromJson,
  maxBodyBytes = 32 * 1024 * 1024,
  propagateTrace = false,
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
    const times = { timeout: Duration.decode(timeout), totalTimeout: Duration.decode(totalTimeout) }
    yield* settings.check({ concurrency, maxBodyBytes, rateLimit, retry, userAgent, ...times })
    const base = yield* Origin.parseBase(baseUrl)
    const origins = [base, ...(yield* Effect.forEach(trustedOrigins, Origin.parseTrusted))]
    if (credential._tag === "Header" && origins.some(Origin.isExposed))
      return yield* new CredentialError({ service, operation: undefined, reason: "exposed" })
    const trusted = origins.map(({ origin }) => origin)
    const init = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.RequestInit), () => ({}))
    const redacted = credential._tag === "Header" ? [credential.name] : []
    const scope = yield* Effect.scope
    const client: retries.Client = {
      connection: {
        service,
        scope,
        client: guarded(transformClient(yield* HttpClient.HttpClient), init, redacted),
        trusted,
        errorBody,
        maxBodyBytes,
        userAgent,
        propagateTrace,
        rateLimiter: limits.rateLimiter(rateLimit),
      },
      credentials: credentialCache.make(credential, Duration.min(times.timeout, times.totalTimeout), scope),
      policy: retry,
      budget: retry.budget * 10,
      ...times,
    }
    const withPermit = limits.semaphore(concurrency)
    const prefix = base.origin + base.pathname.replace(/(?<!\/)\/+$/, "")

    const send = <A>(request: Request<A>, pause: limits.Pause) =>
      Effect.gen(function* () {
        const call = { service, operation: request.operation }
        const link = Link.resolve(base, request.url, trusted)
        if (Either.isLeft(link)) {
          const { target } = link.left
          const secrets = credentialCache.secretsOf(
            yield* Effect.orElseSucceed(client.credentials.get, () => undefined),
          )
          return yield* new LinkRefused({ ...link.left, ...call, target: target && redact(target, secrets, 300) })
        }
        const { encoding, secrets, status, text, url } = yield* retries.send(client, request, link.right, pause)
        const isEmpty = text === "" && (request.method !== "GET" || status === 204 || status === 205)
        const json = isEmpty ? Either.right(undefined) : body.json(text, encoding)
        return yield* Effect.mapBoth(Effect.flatMap(json, request.decode), {
          // The keys of a map are part of the path, and as hostile as any text of a service.
          onFailure: ({ path, reason }) =>
            new DecodeError({ ...call, path: redact(path, secrets, 200), reason: redact(reason, secrets, 200) }),
          onSuccess: (value) => ({ value, url }),
        })
      })

    const requestWithUrl = <A>(request: Request<A>): Effect.Effect<WithUrl<A>, RequestError> =>
      // A call that waits for its permit has no span and no generator yet, which would take most of its memory.
      withPermit((pause) =>
        hideResult(send(request, pause), (hidden) =>
          Effect.withSpan(hidden, request.operation, { captureStackTrace: false }),
        ),
      )

    const request = <A>(request: Request<A>): Effect.Effect<A, RequestError> =>
      Effect.map(requestWithUrl(request), ({ value }) => value)

    return {
      url: (path, query = {}) => {
        // A `$` is legal in a query, and part of well-known names.
        const pairs = Object.entries(query).map(
          ([name, value]) => `${encode(name).replaceAll("%24", "$")}=${encode(value)}`,
        )
        return `${prefix}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
      },
      get: (get) => request({ ...get, method: "GET" }),
      getWithUrl: (get) => requestWithUrl({ ...get, method: "GET" }),
      request,
    }
  })
