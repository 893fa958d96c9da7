/** Credentials: a secret, and the header that carries it. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { isName, isReserved } from "./internal/headers.js"
import { sanitize } from "./internal/redact.js"
import * as Reason from "./Reason.js"

/** A fetched secret, such as an access token. @category models @since 0.1.0 */
export interface FetchedSecret {
  readonly secret: Redacted.Redacted
  /**
   * How long the secret is used, from the end of the fetch. The next one is fetched in the background 5 minutes before that, or when a tenth of
   * the lifetime is left if that is less, and again 10 seconds after a failure. Default: until the service rejects it.
   */
  readonly lifetime?: Duration.Input | undefined
}

/**
 * A secret in a header. Its value is fetched on the first request, then cached for its lifetime, or until the service responds 401.
 * @category models @since 0.1.0
 */
export interface Header {
  readonly _tag: "Header"
  readonly name: string
  readonly value: Effect.Effect<FetchedSecret, Reason.Credential>
  readonly renewable: boolean
  readonly source?: string | undefined
}

/** How requests authenticate. @category models @since 0.1.0 */
export type Credential = { readonly _tag: "None" } | Header

/** Options for credentials. @category models @since 0.1.0 */
export interface Options {
  /** Where the secret comes from, such as `a vault`. It is part of the message of `Unauthorized`, and must not contain a secret. */
  readonly source?: string | undefined
}

/**
 * A secret, or an effect that fetches it, for example from a vault. If the effect fails or dies, requests fail (reason `Credential`).
 * @category models @since 0.1.0
 */
export type Secret = Redacted.Redacted | Effect.Effect<Redacted.Redacted | FetchedSecret, unknown>

/** Whether a text is a valid header value (RFC 9110, section 5.5) in ASCII. @category guards @since 0.1.0 */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)

/** Whether a text has the syntax of a bearer token (RFC 6750, section 2.1). @category guards @since 0.1.0 */
export const isBearerToken = (text: string): boolean => /^[\w.~+/-]+=*$/.test(text)

const invalid = (problem: Reason.Credential["problem"]) => new Reason.Credential({ problem, isRetryable: false })

const unavailable = (error: unknown, cause: Error | undefined) => {
  const isRetryable = Predicate.hasProperty(error, "isRetryable") && error.isRetryable === true
  return new Reason.Credential({ problem: "unavailable", isRetryable, cause })
}

const validate = (secret: Secret, prefix: string): Effect.Effect<FetchedSecret, Reason.Credential> =>
  Effect.map(Redacted.isRedacted(secret) ? Effect.succeed(secret) : secret, (fetched) =>
    Redacted.isRedacted(fetched)
      ? { text: Redacted.value(fetched) }
      : {
          text: Redacted.value(fetched.secret),
          lifetime: fetched.lifetime && Duration.fromInputUnsafe(fetched.lifetime),
        },
  ).pipe(
    // A wiped secret and an invalid duration throw, so defects are caught as well.
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      return error instanceof Reason.Credential ? error : unavailable(error, sanitize(error))
    }),
    Effect.flatMap(({ text, ...lifetime }) => {
      if (text === "") return invalid("empty")
      return isHeaderText(text)
        ? Effect.succeed({ ...lifetime, secret: Redacted.make(prefix + text) })
        : invalid("malformed")
    }),
  )

/** No credential. @category constructors @since 0.1.0 */
export const none: Credential = { _tag: "None" }

const make = (name: string, secret: Secret, prefix: string, { source }: Options): Header => {
  const isValid = isName(name) && !isReserved(name)
  const value = isValid ? validate(secret, prefix) : invalid("name")
  return { _tag: "Header", name, value, renewable: isValid && !Redacted.isRedacted(secret), source }
}

/**
 * Sends the secret in the header `name`. Making a client fails with `InvalidSetting` if the name is invalid, if the client sets that header itself,
 * or if no header can carry a fixed secret. Requests fail (reason `Credential`) if no header can carry a fetched one.
 * @category constructors @since 0.1.0
 */
export const header = (name: string, secret: Secret, options: Options = {}): Header => make(name, secret, "", options)

/** Sends the secret as `Authorization: Bearer <token>`, under the rules of `header`. @category constructors @since 0.1.0 */
export const bearer = (token: Secret, options: Options = {}): Header => make("authorization", token, "Bearer ", options)

/**
 * Sends a fetched token as `Authorization: Bearer <token>`, for example a token of another grant. If the effect fails, the old token is used until
 * it expires. Then requests fail (reason `Credential`). Its `cause` is the error of the effect, whose message must not contain a secret. If the
 * effect dies, `cause` has only the names and codes of the defect.
 * @category constructors @since 0.1.0
 */
export const fromToken = (fetch: Effect.Effect<FetchedSecret, Error>, options: Options = {}): Header =>
  bearer(
    Effect.mapError(fetch, (error) => unavailable(error, error)),
    options,
  )
