/** The one place that talks HTTP: a guarded client of one service at one address. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constTrue, identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Credential from "./Credential.js"
import * as ErrorBody from "./ErrorBody.js"
import { CredentialError, DecodeError, LinkRefused } from "./HttpError.js"
import * as budget from "./internal/budget.js"
import * as json from "./internal/json.js"
import * as persist from "./internal/persist.js"
import * as semaphore from "./internal/semaphore.js"
import * as settings from "./internal/settings.js"
import { redactText } from "./internal/redactText.js"
import { withSpan } from "./internal/span.js"
import * as turn from "./internal/turn.js"
import * as vault from "./internal/vault.js"
import * as Link from "./Link.js"
import * as Origin from "./Origin.js"
import type { Get, Request } from "./Request.js"
import type { RequestError } from "./RequestError.js"
import * as RetryPolicy from "./RetryPolicy.js"
import type { InvalidBaseUrl, InvalidSetting } from "./SettingsError.js"

/**
 * Why a client can't be made.
 *
 * @category errors
 * @since 0.1.0
 */
export type MakeError = CredentialError | InvalidBaseUrl | InvalidSetting

/**
 * How many requests may leave in a time: `requests` at once, and as many more as time passes.
 *
 * @category models
 * @since 0.1.0
 */
export interface RateLimit {
  readonly requests: number
  /** The time in which that many may leave. */
  readonly per: Duration.DurationInput
}

/**
 * How carefully, how fast and how patiently a service is used: the same for every service.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settings {
  /** Origins beside the service's own that its links and redirects may lead to, the credential with them: gateways. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /** For one attempt, the answer's body included. Default: 30 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** For all attempts at a request, and the waits between them; time in line is not counted. Default: 5 minutes. */
  readonly totalTimeout?: Duration.DurationInput | undefined
  /** When a request is sent again. Default: `RetryPolicy.standard`. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  /** How many requests are under way at once; others wait their turn. Default: 16. */
  readonly concurrency?: number | undefined
  /** How many requests leave in a time; others wait their turn. Default: no limit. */
  readonly rateLimit?: RateLimit | undefined
  /** The largest body that is read, in bytes, decompressed. Default: 32 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** The header `User-Agent`. Default: whatever the HTTP client sends. */
  readonly userAgent?: string | undefined
  /** Whether requests carry the trace that they are part of (`traceparent`, `b3`). Default: no. */
  readonly propagateTrace?: boolean | undefined
  /**
   * Changes the `HttpClient` before anything else is done with it: logs, proxies, headers of one's own. One that follows
   * redirects (`HttpClient.followRedirects`) takes the credential wherever they lead, and one that reads bodies leaves none:
   * don't.
   */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/**
 * How a service is reached.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Body extends ErrorBody.ErrorBody = ErrorBody.ErrorBody, Encoded = unknown> extends Settings {
  /** The name of the service, such as `health`: every request error carries it, which tells the errors of several clients apart. */
  readonly service: string
  /** The base URL of the service, http or https. Its path is kept. */
  readonly baseUrl: string
  /** How requests prove who sends them. */
  readonly credential: Credential.Credential
  /** Reads the JSON of an answer that says no; one that it refuses has no words. Default: `ErrorBody.FromBody`. */
  readonly errorBody?: Schema.Schema<Body, Encoded> | undefined
}

/**
 * A decoded response, and the URL that it came from.
 *
 * @category models
 * @since 0.1.0
 */
export interface Located<A> {
  /** The decoded body. */
  readonly value: A
  /** The URL of the request, or of the last redirect. Links in the response are relative to it (`Link.absolute`). */
  readonly url: string
}

/**
 * A service, of which only its own origin, and those that are trusted, are ever asked.
 *
 * @category models
 * @since 0.1.0
 */
export interface Service {
  /** The address of a path (beginning with `/`, its segments encoded) under the base address. */
  readonly url: (path: string, query?: Readonly<Record<string, string>>) => string
  /** Sends a GET with the credential. An address of another origin than the service's is a `LinkRefused`. */
  readonly get: <A>(request: Get<A>) => Effect.Effect<A, RequestError>
  /** Sends a GET like `get`, and returns the URL of the response, too. */
  readonly getLocated: <A>(request: Get<A>) => Effect.Effect<Located<A>, RequestError>
  /** Sends a request of any method, with the same care. */
  readonly request: <A>(request: Request<A>) => Effect.Effect<A, RequestError>
}

/** A text as part of a query; half a character, which no address can hold, becomes U+FFFD. */
const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"))

/** The client that the application provides, fetch's own following of redirects and the platform's tracing off. */
const guarded = (client: HttpClient.HttpClient, init: RequestInit, redacted: ReadonlyArray<string>) =>
  client.pipe(
    HttpClient.withTracerDisabledWhen(constTrue),
    HttpClient.transformResponse((response) =>
      response.pipe(
        Effect.provideService(FetchHttpClient.RequestInit, { ...init, redirect: "manual" }),
        // Whoever logs requests sees these headers as `<redacted>`; the default names do not include every credential's.
        Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, ...redacted]),
      ),
    ),
  )

/**
 * Makes a client of a service on top of the application's `HttpClient`. The credential is sent to the origin of `baseUrl` and to
 * `trustedOrigins` only, wherever links and redirects lead. No error contains a secret.
 *
 * What the client does in the background, such as fetching the credential, ends with the scope. Fails with `InvalidBaseUrl` if a URL
 * is invalid, with `InvalidSetting` if another option is, and with `CredentialError` if the credential would be sent over plain HTTP.
 *
 * Redirects that an `HttpClient` follows by itself cannot be prevented. The fetch client is configured not to follow them; the other
 * clients of `@effect/platform` never do.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Body extends ErrorBody.ErrorBody = ErrorBody.ErrorBody, Encoded = unknown>({
  baseUrl,
  concurrency = 16,
  credential,
  errorBody,
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
}: Options<Body, Encoded>): Effect.Effect<Service, MakeError, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const times = { timeout: Duration.decode(timeout), totalTimeout: Duration.decode(totalTimeout) }
    yield* settings.check({ concurrency, maxBodyBytes, rateLimit, retry, userAgent, ...times })
    const base = yield* Origin.parseBase(baseUrl)
    const others = yield* Effect.forEach(trustedOrigins, Origin.parseTrusted)
    if (credential._tag === "Header" && [base, ...others].some(Origin.isExposed))
      return yield* new CredentialError({ service, operation: undefined, reason: "exposed" })
    const trusted = [base, ...others].map(({ origin }) => origin)
    const init = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.RequestInit), () => ({}))
    const redacted = credential._tag === "Header" ? [credential.name] : []
    const scope = yield* Effect.scope
    const rules: persist.Rules = {
      wire: {
        service,
        scope,
        client: guarded(transformClient(yield* HttpClient.HttpClient), init, redacted),
        trusted,
        readBody:
          errorBody === undefined
            ? Schema.decodeUnknownOption(ErrorBody.FromBody)
            : Schema.decodeUnknownOption(errorBody),
        maxBodyBytes,
        userAgent,
        propagateTrace,
        turn: turn.make(rateLimit),
      },
      vault: vault.make(credential, Duration.min(times.timeout, times.totalTimeout), scope),
      policy: retry,
      budget: budget.make(retry.budget),
      semaphore: semaphore.make(concurrency),
      ...times,
    }
    const prefix = base.origin + base.pathname.replace(/(?<!\/)\/+$/, "")

    const located = <A>(asked: Request<A>): Effect.Effect<Located<A>, RequestError> => {
      const { operation } = asked
      const call = { service, operation }
      return Link.resolve(base, asked.url, trusted).pipe(
        Either.mapLeft((refusal) => new LinkRefused({ ...refusal, ...call })),
        Effect.flatMap((url) => persist.send(rules, asked, url)),
        Effect.flatMap((answer) =>
          Effect.mapBoth(Effect.flatMap(json.parse(asked, answer), asked.decode), {
            // The keys of a map are part of the path, and as hostile as any text of a service.
            onFailure: ({ path, reason }) =>
              new DecodeError({
                ...call,
                path: redactText(path, answer.secrets, 200),
                reason: redactText(reason, answer.secrets, 200),
              }),
            onSuccess: (value) => ({ value, url: answer.url }),
          }),
        ),
        (effect) => withSpan(effect, operation),
      )
    }

    const request = <A>(asked: Request<A>): Effect.Effect<A, RequestError> =>
      Effect.map(located(asked), ({ value }) => value)

    return {
      url: (path, query = {}) => {
        // A `$` is legal there, and a part of well-known names.
        const pairs = Object.entries(query).map(
          ([name, value]) => `${encode(name).replaceAll("%24", "$")}=${encode(value)}`,
        )
        return `${prefix}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
      },
      get: (asked) => request({ ...asked, method: "GET" }),
      getLocated: (asked) => located({ ...asked, method: "GET" }),
      request,
    }
  })
