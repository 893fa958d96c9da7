/** The client of one service at one base URL. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as ByteSize from "effect/ByteSize"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constFalse, constTrue, identity } from "effect/Function"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Credential } from "./Credential.js"
import * as ErrorBody from "./ErrorBody.js"
import * as call from "./internal/call.js"
import type { Client } from "./internal/client.js"
import * as credentialCache from "./internal/credentialCache.js"
import * as finish from "./internal/finish.js"
import * as headers from "./internal/headers.js"
import * as gate from "./internal/gate.js"
import * as semaphore from "./internal/semaphore.js"
import * as redact from "./internal/redact.js"
import * as Origin from "./Origin.js"
import type * as Reason from "./Reason.js"
import type * as Request from "./Request.js"
import type { RequestError } from "./RequestError.js"
import * as Retry from "./Retry.js"
import { InvalidSetting, parseDuration } from "./SettingsError.js"

/** Options that are the same for every service. @category models @since 0.1.0 */
export interface Settings {
  /** Other origins, such as gateways, that links and redirects may lead to. They get the credential. Default: none. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /** The timeout of one attempt, with its redirects and the body of the response. Default: 30 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** The timeout of a whole request: all attempts, and every wait. Default: 5 minutes. */
  readonly totalTimeout?: Duration.Input | undefined
  /** When to retry a failed request that is safe to repeat. Default: `Retry.standard`. */
  readonly retry?: Retry.Retry | undefined
  /**
   * The longest wait that the service may request (`Retry-After`). All requests wait that long, then one goes first. If the service requests
   * more, the request fails at once. After 16 such responses in a row, the others fail unsent for `maxRetryAfter`, then one goes first. For requests
   * with a `refusalKey`, see there. Default: 1 minute.
   */
  readonly maxRetryAfter?: Duration.Input | undefined
  /** The number of retries that all requests share. Each response except 429 and 5xx restores a tenth of one. Default: 20. */
  readonly retryBudget?: number | undefined
  /** The maximum number of concurrent requests. Others wait, first in, first out. Default: 16. */
  readonly concurrency?: number | "unbounded" | undefined
  /**
   * The maximum number of requests in any period of length `per`. Others wait, first in, first out. Takes 8 bytes for the time of each of the
   * last `requests` requests. Default: no limit.
   */
  readonly rateLimit?: { readonly requests: number; readonly per: Duration.Input } | undefined
  // Not a text, because its parser adds 750 bytes to every bundle.
  /** The maximum size of a decompressed body: a number of bytes, or a `ByteSize` such as `ByteSize.mebibytes(64)`. Default: 32 MiB. */
  readonly maxBodyBytes?: Exclude<ByteSize.Input, string> | undefined
  /**
   * Wraps the `HttpClient`, for example to log, to keep cookies or to set the header `User-Agent`. Must not read bodies, change them without their `content-length`, or follow redirects, which
   * would expose the credential.
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
  readonly credential: Credential
  /**
   * Returns the code and message in the JSON of an error response, or in its text if it is not JSON. If it throws, the error has neither.
   * Default: `ErrorBody.fromBody`.
   */
  readonly parseErrorBody?: ((body: unknown) => ErrorBody.ErrorBody) | undefined
  /** The query parameters whose values spans show. Default: none. */
  readonly shownParameters?: ReadonlyArray<string> | undefined
  /** The query parameters of links whose values no error contains, such as the cursor of a list. Default: none. */
  readonly secretParameters?: ReadonlyArray<string> | undefined
  /** Response headers, in lower case, with the service's ID of the request. They win over `x-request-id` and `request-id`. Default: none. */
  readonly requestIdHeaders?: ReadonlyArray<string> | undefined
  /** Whether the headers of an error response say that it refuses all requests, whatever their `refusalKey` is. Default: never. */
  readonly refusesAll?: ((headers: Headers.Headers) => boolean) | undefined
}

/** A client of one service. It sends requests only to the origin of the service and to trusted origins. @category models @since 0.1.0 */
export interface Service {
  /** Makes the URL of a path, which begins with `/` and has encoded segments. */
  readonly url: (path: string, query?: Readonly<Record<string, string>>) => string
  /** Sends a GET request for JSON, and decodes a response with the status code 200. */
  readonly get: <A>(request: Request.Get<A>) => Effect.Effect<A, RequestError>
  /** Sends any request, and decodes its response. */
  readonly send: <A>(
    request: HttpClientRequest.HttpClientRequest,
    options: Request.Send<A>,
  ) => Effect.Effect<A, RequestError>
  /**
   * The service as an `HttpClient`, for `ApiClient`, `Request.toHttpClient` and `HttpClientResponse.schemaBodyJson`. A path that begins with `/` is appended to the base
   * URL. Another URL must be absolute, of the service or of a trusted origin (else the reason is `Link`). Fails for other status codes than 200 to
   * 299, after retries: `httpClient.withOptions` changes that. The body of a response is complete and in memory. Its `request` has only the method,
   * and the URL without secrets.
   */
  readonly httpClient: Request.Client
}

const isPeriod = (duration: Duration.Duration): boolean => Duration.isPositive(duration) && Duration.isFinite(duration)

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/**
 * Makes a client on top of the application's `HttpClient`, which must not follow redirects by itself. Fails with `InvalidSetting` if an option
 * is invalid, also if no header can carry a fixed credential, or if it would be sent over plain HTTP. Background work ends with the scope.
 * @category constructors @since 0.1.0
 */
export const make = ({
  baseUrl,
  concurrency = 16,
  credential,
  parseErrorBody = ErrorBody.fromBody,
  maxBodyBytes = 32 * 1024 * 1024,
  maxRetryAfter = Duration.minutes(1),
  rateLimit,
  refusesAll = constFalse,
  requestIdHeaders = [],
  retry = Retry.standard,
  retryBudget = 20,
  secretParameters = [],
  service,
  shownParameters = [],
  timeout = Duration.seconds(30),
  totalTimeout = Duration.minutes(5),
  transformClient = identity,
  trustedOrigins = [],
}: Options): Effect.Effect<Service, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const times = {
      timeout: yield* parseDuration(timeout, "timeout"),
      totalTimeout: yield* parseDuration(totalTimeout, "totalTimeout"),
      maxRetryAfter: yield* parseDuration(maxRetryAfter, "maxRetryAfter", constTrue, "a duration"),
    }
    const limit = {
      requests: rateLimit?.requests ?? 1,
      per: rateLimit
        ? yield* parseDuration(rateLimit.per, "rateLimit.per", isPeriod, "a finite duration above 0")
        : Duration.zero,
    }
    const header = credential._tag === "Header" ? credential : undefined
    const isUnusable = ({ problem }: Reason.Credential) => problem !== "unavailable"
    const hasInvalidSecret =
      header?.renewable === false &&
      (yield* Effect.match(header.value, { onFailure: isUnusable, onSuccess: constFalse }))
    const permits = concurrency === "unbounded" ? Infinity : concurrency
    const base = yield* Effect.fromResult(Origin.parseBase(baseUrl))
    const trusted = yield* Effect.forEach(trustedOrigins, (text) =>
      Effect.fromResult(Origin.parseBase(text, "trustedOrigins")),
    )
    const isExposed = (url: URL) => header !== undefined && Origin.isExposed(url)
    const encrypted = "an https URL, because plain HTTP exposes the credential"
    const rules: ReadonlyArray<readonly [setting: string, expected: string, isValid: boolean]> = [
      ["baseUrl", encrypted, !isExposed(base)],
      ["trustedOrigins", encrypted, !trusted.some(isExposed)],
      ["trustedOrigins", "URLs without a path", trusted.every(({ pathname }) => pathname === "/")],
      ["credential", "a text that a header can carry, in a header with a valid name", !hasInvalidSecret],
      ["concurrency", "1 or more", permits >= 1],
      ["maxBodyBytes", "0 or more", maxBodyBytes >= 0],
      ["rateLimit.requests", "1 or more", limit.requests >= 1 && limit.requests < Infinity],
      ["retryBudget", "0 or more", retryBudget >= 0],
    ]
    const broken = rules.find(([, , isValid]) => !isValid)
    if (broken !== undefined) return yield* new InvalidSetting({ setting: broken[0], expected: broken[1] })
    const requestInit = Option.getOrUndefined(yield* Effect.serviceOption(FetchHttpClient.RequestInit))
    const client: Client = {
      ...times,
      service,
      base,
      http: transformClient(headers.checked(yield* HttpClient.HttpClient)),
      requestInit: { ...requestInit, redirect: "manual" },
      redactedHeaders: header ? [header.name] : [],
      trusted: [base, ...trusted].map(({ origin }) => origin),
      parseErrorBody,
      parameters: redact.parameters(shownParameters, secretParameters),
      refusesAll,
      requestIds: [...requestIdHeaders, "x-request-id", "request-id"],
      maxBodyBytes: Number(maxBodyBytes),
      gate: gate.make(limit),
      withPermit: semaphore.queue(permits),
      credentials: credentialCache.make(
        credential,
        Duration.min(times.timeout, times.totalTimeout),
        yield* Effect.scope,
      ),
      retry,
      maxBudget: retryBudget * 10,
      budget: retryBudget * 10,
    }
    const prefix = Origin.append(base, "")
    const send: Service["send"] = (request, options) => call.run(client, request, options, finish.decode(options))
    const httpClient = (options: Request.Options): Request.Client =>
      Object.assign(
        HttpClient.makeWith<RequestError, never, RequestError, never>(
          Effect.flatMap((request) => call.run(client, request, options, finish.toResponse)),
          Effect.succeed,
        ),
        {
          withOptions: (added: Request.Options) =>
            httpClient({
              ...options,
              ...added,
              isUrlSecret: options.isUrlSecret || added.isUrlSecret,
              secrets: [...(options.secrets ?? []), ...(added.secrets ?? [])],
            }),
        },
      )

    return {
      url: (path, query = {}) => {
        // `$` is legal in a query, and part of names such as `$filter`.
        const pairs = Object.entries(query).map(
          ([name, value]) => `${encode(name).replaceAll("%24", "$")}=${encode(value)}`,
        )
        return `${prefix}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
      },
      get: ({ url, ...options }) =>
        send(HttpClientRequest.get(url), { ...options, accepts: (status) => status === 200 }),
      send,
      httpClient: httpClient({}),
    }
  })
