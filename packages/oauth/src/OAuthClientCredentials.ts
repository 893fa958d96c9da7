/** The OAuth client credentials grant (RFC 6749, section 4.4): access tokens, and a credential that fetches and renews them. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Credential from "@vigil/core-http/Credential"
import * as Decoder from "@vigil/core-http/Decoder"
import * as tokenResponse from "./internal/tokenResponse.js"
import * as Origin from "@vigil/core-http/Origin"
import * as Reason from "@vigil/core-http/Reason"
import { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import { InvalidSetting, parseDuration } from "@vigil/core-http/SettingsError"
import * as StatusReason from "@vigil/core-http/StatusReason"

/**
 * How the client authenticates: by a secret in the header `Authorization` or in the body (RFC 6749, section 2.3.1), or by a JWT (RFC 7523), such
 * as a token of the workload's platform. An effect runs for each token request.
 * @category models @since 0.1.0
 */
export type Authentication =
  | { readonly method: "client_secret_basic" | "client_secret_post"; readonly secret: Credential.Secret }
  | { readonly method: "client_assertion"; readonly assertion: Credential.Secret }

/** Options for token requests. @category models @since 0.1.0 */
export interface Options {
  /** The URL of the token endpoint: HTTPS, or HTTP on this machine, without a fragment. A query is kept. */
  readonly tokenUrl: string
  /** The client ID of the application. */
  readonly clientId: string
  /** How the client authenticates. */
  readonly authentication: Authentication
  /** The requested scope, separated by spaces. Default: none; the server decides. */
  readonly scope?: string | undefined
  /** Additional form fields, such as `audience` or `resource`. They cannot replace the fields of the protocol. */
  readonly parameters?: Readonly<Record<string, string>> | undefined
  /** The timeout of a token request with its retries. One attempt may take half of it. Default: 20 seconds. */
  readonly timeout?: Duration.Input | undefined
}

/** An access token. The server may omit `scope`, if it grants the requested one, and `lifetime`. @category models @since 0.1.0 */
export interface Token extends Credential.FetchedSecret {
  readonly lifetime?: Duration.Duration | undefined
  readonly scope?: ReadonlyArray<string> | undefined
}

/**
 * The authorization server responded with an error. The `code` of the reason is from RFC 6749, section 5.2, such as
 * `invalid_client`, or the server's own. Its `detail` is the description. Neither contains the client's secret, the assertion or an earlier token.
 * @category errors @since 0.1.0
 */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {
  reason: StatusReason.StatusReason,
  /** Whether the server may have accepted the request: an attempt lost its connection, timed out or got a 5xx. */
  maybeApplied: Schema.Boolean,
}) {
  /** Whether a later request may succeed: for the status codes 408, 429, 500, 502, 503 and 504. */
  get isRetryable(): boolean {
    return this.reason.isRetryable
  }
  override get message(): string {
    const isWrongUrl = [404, 405].includes(this.reason.status)
    const check = isWrongUrl ? "Check the token URL" : "Check the client ID, its secret or assertion, and the scope"
    const response = StatusReason.formatMessage(this.reason, this.isRetryable ? "Try again later" : check)
    return `${call.operation}: the ${call.service} service ${response}`
  }
}

/** Every error of a token request. @category errors @since 0.1.0 */
export type TokenError = InvalidSetting | TokenRefused | RequestError

const call = { service: "token", operation: "OAuthClientCredentials.fetchToken" }

const decode = Decoder.fromSchema(tokenResponse.TokenResponse)

const validate = Effect.fnUntraced(function* ({ timeout = "20 seconds", tokenUrl, ...options }: Options) {
  const url = yield* Effect.fromResult(Origin.parseSecure(tokenUrl, "tokenUrl"))
  if (options.clientId === "")
    return yield* new InvalidSetting({ setting: "clientId", expected: "a text of one or more characters" })
  return { ...options, url, timeout: yield* parseDuration(timeout, "timeout") }
})

type Valid = Effect.Success<ReturnType<typeof validate>>

/** Client ID and secret are encoded before they are joined (RFC 6749, section 2.3.1). */
const basic = (...parts: ReadonlyArray<string>): Redacted.Redacted =>
  Redacted.make(`Basic ${btoa(parts.map((text) => new URLSearchParams({ _: text }).toString().slice(2)).join(":"))}`)

type FetchError = Exclude<TokenError, InvalidSetting>

/** In whole milliseconds, and not zero. */
const timeLeft = (timeout: Duration.Duration, elapsed: Duration.Duration): Duration.Duration =>
  Duration.millis(Math.max(1, Math.ceil(Duration.toMillis(timeout) - Duration.toMillis(elapsed))))

/** `issued` are earlier tokens, which no error may contain. */
const send = (
  { authentication, clientId, parameters, scope, timeout, url }: Valid,
  issued: ReadonlyArray<Redacted.Redacted>,
): Effect.Effect<Token, FetchError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const { method } = authentication
    const source = method === "client_assertion" ? authentication.assertion : authentication.secret
    const [elapsed, fetched] = yield* Credential.header("authorization", source).value.pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => new Reason.Credential({ problem: "timeout", isRetryable: true }),
      }),
      Effect.mapError((reason) => new RequestError({ ...call, reason, maybeApplied: false })),
      Effect.timed,
    )
    const secret = Redacted.value(fetched.secret)
    const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    const fields = {
      client_secret_basic: {},
      client_secret_post: { client_id: clientId, client_secret: secret },
      client_assertion: { client_id: clientId, client_assertion_type: assertionType, client_assertion: secret },
    }
    const service = yield* ServiceClient.make({
      service: call.service,
      baseUrl: url.origin,
      credential:
        method === "client_secret_basic"
          ? Credential.header("authorization", basic(clientId, secret))
          : Credential.none,
      timeout: Math.ceil(Duration.toMillis(timeout) / 2),
      totalTimeout: timeLeft(timeout, elapsed),
      maxBodyBytes: 64 * 1024,
    }).pipe(
      // `validate` has checked these options.
      Effect.orDie,
    )
    const form = HttpClientRequest.bodyUrlParams(HttpClientRequest.post(url.href), {
      ...parameters,
      grant_type: "client_credentials",
      ...(scope ? { scope } : {}),
      ...fields[method],
    })
    return yield* service.send(form, {
      operation: call.operation,
      secrets: [fetched.secret, ...issued],
      idempotent: true,
      decode: (json) => Effect.map(decode(json), tokenResponse.toToken),
    })
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) => {
      const { maybeApplied, reason } = error
      return "status" in reason ? new TokenRefused({ reason, maybeApplied }) : error
    }),
  )

/** A server accepts an assertion once, and the response to an earlier attempt may be lost. */
const isUsedUp = (error: FetchError): boolean =>
  error._tag === "TokenRefused" && error.maybeApplied && error.reason.status < 500 && !error.isRetryable

const request = (
  valid: Valid,
  issued: ReadonlyArray<Redacted.Redacted>,
): Effect.Effect<Token, FetchError, HttpClient.HttpClient> => {
  const { authentication, timeout } = valid
  // Only an effect makes a new assertion.
  if (authentication.method !== "client_assertion" || Redacted.isRedacted(authentication.assertion))
    return send(valid, issued)
  return Effect.flatMap(Effect.timed(Effect.result(send(valid, issued))), ([elapsed, result]) => {
    if (Result.isSuccess(result) || !isUsedUp(result.failure)) return Effect.fromResult(result)
    return send({ ...valid, timeout: timeLeft(timeout, elapsed) }, issued)
  })
}

/**
 * Fetches an access token, with retries by `Retry.standard`, and with one new assertion if the server refuses one after a response was lost.
 * `timeout` includes all of it. Follows no redirect. Fails with `InvalidSetting` if an option is invalid, with `TokenRefused` for an error response, and otherwise with a
 * `RequestError`, for example if the client's secret cannot be fetched.
 * @category requests @since 0.1.0
 */
export const fetchToken = (options: Options): Effect.Effect<Token, TokenError, HttpClient.HttpClient> =>
  Effect.flatMap(validate(options), (valid) => request(valid, []))

/**
 * Creates a credential. Each client fetches a token on its first request, shares it among its requests, and renews it as `Credential.fromToken`
 * does. If a token cannot be fetched, requests fail (reason `Credential`), and its `cause` is the `TokenError`. Uses the `HttpClient` that is
 * provided here. Fails with `InvalidSetting` if an option is invalid.
 * @category constructors @since 0.1.0
 */
export const credential = (options: Options): Effect.Effect<Credential.Header, InvalidSetting, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const valid = yield* validate(options)
    const all = yield* Effect.context<HttpClient.HttpClient>()
    const context = Context.pick(HttpClient.HttpClient, FetchHttpClient.RequestInit)(all)
    let issued: ReadonlyArray<Redacted.Redacted> = []
    const fetch = Effect.tap(
      Effect.suspend(() => request(valid, issued)),
      ({ secret }) => Effect.sync(() => (issued = [secret])),
    )
    return Credential.fromToken(Effect.provide(fetch, context))
  })
