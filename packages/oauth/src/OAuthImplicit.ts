/** Sign-in by the OAuth implicit flow: the authorization URL, and the response in the redirect. */
import * as Credential from "@vigil/core-http/Credential"
import * as PlainText from "@vigil/core-http/PlainText"
import * as Reason from "@vigil/core-http/Reason"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Origin from "@vigil/core-http/Origin"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import { AuthorizationRefused, InvalidResponse, StateMismatch } from "./internal/signInErrors.js"
import { TokenResponse, toToken } from "./internal/tokenResponse.js"

export { AuthorizationRefused, InvalidResponse, StateMismatch } from "./internal/signInErrors.js"

/** An authorization request. @category models @since 0.1.0 */
export interface Request {
  /** The URL of the authorization endpoint: HTTPS, or HTTP on localhost, without a query and a fragment. */
  readonly authorizationUrl: string
  /** The client ID of the application. */
  readonly clientId: string
  /** The redirect URL, sent unchanged: HTTPS, or HTTP on localhost, without a fragment. */
  readonly redirectUri: string
  /** A random text (`makeRandomText`). Keep it until the response arrives. */
  readonly state: string
  /** The requested scope, separated by spaces. Default: none; the server decides. */
  readonly scope?: string | undefined
  /** A random text (`makeRandomText`), for servers that add an ID token. Default: none. */
  readonly nonce?: string | undefined
  /** Additional query parameters, such as `resource` or `prompt`. They cannot replace the parameters above. */
  readonly parameters?: Readonly<Record<string, string>> | undefined
}

/** An authorization response. Each state is valid for one response: discard it after use. @category models @since 0.1.0 */
export interface Response {
  /** The URL that the browser was redirected to, or its fragment, with or without `#`. */
  readonly response: string
  /** The state of the request. */
  readonly state: string
  /** The nonce of the request, if it had one. */
  readonly nonce?: string | undefined
}

/** An access token. The server may omit `scope` (if it grants the requested one) and `expiresAt` (RFC 6749, 4.2.2). @category models @since 0.1.0 */
export interface Grant {
  /** Use it with `credential`, which respects `expiresAt`, or with `Credential.bearer`. */
  readonly secret: Redacted.Redacted
  readonly scope?: ReadonlyArray<string> | undefined
  readonly expiresAt?: DateTime.Utc | undefined
}

/** Errors of `readResponse`. @category errors @since 0.1.0 */
export type ResponseError = StateMismatch | AuthorizationRefused | InvalidResponse

/** Creates a random text for a state (RFC 6749, 10.10) or a nonce: 256 bits, base64url. @category constructors @since 0.1.0 */
export const makeRandomText: Effect.Effect<string> = /* @__PURE__ */ Effect.sync(() =>
  Base64Url.encode(crypto.getRandomValues(new Uint8Array(32))),
)

/** The characters of a URL (RFC 3986, 2). A URL parser would change other characters, and the server compares the exact text. */
const uri = /^https?:\/\/[\w.~!$&'()*+,;=:@/?%[\]-]+$/i

/** Returns the URL to open in a browser. Fails with `InvalidSetting`. @category requests @since 0.1.0 */
export const signInUrl = ({
  authorizationUrl,
  clientId,
  nonce,
  parameters,
  redirectUri,
  scope,
  state,
}: Request): Result.Result<string, InvalidSetting> =>
  Result.gen(function* () {
    const invalid = (setting: string, expected: string) => Result.fail(new InvalidSetting({ setting, expected }))
    const endpoint = yield* Origin.parseSecure(authorizationUrl, "authorizationUrl")
    if (endpoint.search !== "") return yield* invalid("authorizationUrl", "a URL without a query")
    yield* Origin.parseSecure(redirectUri, "redirectUri")
    if (!uri.test(redirectUri)) return yield* invalid("redirectUri", "a percent-encoded URL")
    const empty = Object.entries({ clientId, state, nonce }).find(([, text]) => text === "")
    if (empty !== undefined) return yield* invalid(empty[0], "a text of one or more characters")
    const query = new URLSearchParams({
      ...parameters,
      response_type: "token",
      client_id: clientId,
      redirect_uri: redirectUri,
      ...(scope && { scope }),
      state,
      ...(nonce !== undefined && { nonce }),
    })
    return `${endpoint.href}?${query.toString()}`
  })

/** Accepts a URL, or the fragment alone. Unlike a fragment, a URL has `:`, `/` or `?` before its first parameter. */
const fragmentOf = (text: string): string => {
  const hash = text.indexOf("#")
  if (hash >= 0) return text.slice(hash + 1)
  return /^[^=&]*[:/?]/.test(text) ? "" : text
}

/** Compares in constant time for texts of the same length. */
const isSame = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

const decodePayload = /* @__PURE__ */ Schema.decodeUnknownOption(
  /* @__PURE__ */ Schema.fromJsonString(/* @__PURE__ */ Schema.Struct({ nonce: Schema.String })),
)

/** Returns the nonce of an ID token (OpenID Connect Core, 3.2.2.11), without checking the signature. */
const nonceOf = (token: string): Option.Option<string> => {
  const [, payload = ""] = token.split(".")
  const json = Option.flatMap(Result.getSuccess(Base64Url.decodeString(payload)), decodePayload)
  return Option.map(json, ({ nonce }) => nonce)
}

const maxLifetime = /* @__PURE__ */ Duration.days(36_500)

const decodeResponse = /* @__PURE__ */ Schema.decodeUnknownResult(TokenResponse)

/** The first invalid parameter. */
const reasonOf = ({ issue }: Schema.SchemaError): InvalidResponse["reason"] => {
  const paths = new Set(SchemaIssue.makeFormatterStandardSchemaV1()(issue).issues.map(({ path = [] }) => path[0]))
  return paths.has("access_token") ? "token" : paths.has("token_type") ? "type" : "lifetime"
}

/**
 * Reads the response (RFC 6749, 4.2.2). Checks the state first, before errors. The lifetime of the token counts from now.
 * The nonce must match that of an ID token, whose signature is not checked. Fails with `StateMismatch`, `AuthorizationRefused` or `InvalidResponse`, which
 * never contain a token.
 * @category responses @since 0.1.0
 */
export const readResponse = ({ nonce, response, state }: Response): Effect.Effect<Grant, ResponseError> =>
  Effect.gen(function* () {
    const parameters = new URLSearchParams(fragmentOf(response))
    // An empty parameter is absent (RFC 6749, 3.1).
    const get = (name: string) => parameters.get(name) || undefined
    const invalid = (reason: InvalidResponse["reason"]) => new InvalidResponse({ reason })
    if (parameters.size === 0) return yield* invalid("empty")

    const receivedState = get("state")
    if (receivedState === undefined || parameters.getAll("state").length > 1 || !isSame(receivedState, state))
      return yield* new StateMismatch()

    // Forbidden by RFC 6749, 3.1.
    if (new Set(parameters.keys()).size < parameters.size) return yield* invalid("repeated")
    const [token, code] = [get("access_token"), get("error")]
    if (token !== undefined && code !== undefined) return yield* invalid("both")
    if (code !== undefined) {
      const safe = (text: string, length: number) =>
        PlainText.toSingleLine(text.replaceAll(state, "<redacted>"), length)
      const description = get("error_description")
      return yield* new AuthorizationRefused({
        code: safe(code, 100),
        description: description && safe(description, 500),
      })
    }
    if (token === undefined) return yield* invalid("missing")
    const parsed = decodeResponse(Object.fromEntries([...parameters].filter(([, text]) => text !== "")))
    if (Result.isFailure(parsed)) return yield* invalid(reasonOf(parsed.failure))
    const { lifetime, scope, secret } = toToken(parsed.success)

    const idToken = get("id_token")
    if (nonce !== undefined && idToken !== undefined && !Option.exists(nonceOf(idToken), (text) => isSame(text, nonce)))
      return yield* invalid("nonce")

    const now = yield* DateTime.now
    // A longer lifetime could exceed the range of dates.
    const expiresAt = lifetime && DateTime.addDuration(now, Duration.min(lifetime, maxLifetime))
    return { secret, scope, expiresAt }
  })

/**
 * Creates a credential from a token. After `expiresAt`, every request fails (reason `Credential`, `unavailable`) before it is sent. A
 * request sent just before may still get a 401.
 * @category conversions @since 0.1.0
 */
export const credential = (
  { expiresAt, secret: token }: Pick<Grant, "expiresAt" | "secret">,
  { source }: Credential.Options = {},
): Credential.Header => {
  const bearer = Credential.bearer(token, { source })
  if (expiresAt === undefined) return bearer
  const value = Effect.flatMap(DateTime.isFuture(expiresAt), (isValid) =>
    isValid
      ? // No caching: every attempt checks the expiry.
        Effect.map(bearer.value, ({ secret }) => ({ secret, lifetime: Duration.zero }))
      : new Reason.Credential({ problem: "unavailable", isRetryable: false }),
  )
  return { ...bearer, value }
}
