/** How a client proves who it is: one header, its value redacted until it is written. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { CredentialError } from "./HttpError.js"
import { sanitize } from "./internal/redact.js"

/** Why there is no usable secret: `reason` is that of the `CredentialError` that requests then fail with. `cause` is what an effect failed
 * with, without its messages.
 * @category models
 * @since 0.1.0 */
export interface Failure {
  readonly reason: Exclude<CredentialError["reason"], "exposed">
  readonly cause?: Error | undefined
}

/** Nothing, or a header. Its value is had with the first request, and kept: until it is `timeToLive` old, or the service
 * answers 401. Then it is had once more, by one request while the others wait, and the refused request is repeated once.
 * One that is not `renewable` is a secret that stays the same. `name` is the header's, `value` has its text.
 * @category models
 * @since 0.1.0 */
export type Credential =
  | { readonly _tag: "None" }
  | {
      readonly _tag: "Header"
      readonly name: string
      readonly value: Effect.Effect<Redacted.Redacted, Failure>
      readonly renewable: boolean
      readonly timeToLive: Duration.Duration
    }

/** `timeToLive`: how long what an effect hands out is used, at most. Default: until the service refuses it.
 * @category models
 * @since 0.1.0 */
export interface Options {
  readonly timeToLive?: Duration.DurationInput | undefined
}

/** A secret, or an effect that fetches it, for example from a vault. If the effect fails or dies, requests fail with
 * `CredentialError`. Its `cause` has the names and codes of what the effect failed with, and no messages, which may contain the secret.
 * @category models
 * @since 0.1.0 */
export type Secret = Redacted.Redacted | Effect.Effect<Redacted.Redacted, unknown>

/** What a header's name may hold (RFC 9110, 5.1). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Headers that the client or its connection sets. */
const taken = /^(accept|connection|content-.*|expect|host|transfer-encoding|te|trailer|upgrade|user-agent)$/i

/** Whether a text may be a header's value (RFC 9110, 5.5), without the obsolete part beyond ASCII.
 * @category guards
 * @since 0.1.0 */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)

const fail = (failure: Failure): Effect.Effect<never, Failure> => Effect.fail(failure)

const checked = (secret: Secret): Effect.Effect<Redacted.Redacted, Failure> =>
  Effect.flatMap(
    // A wiped secret throws, so that defects are caught as well.
    Effect.catchAllCause(
      Effect.map(Redacted.isRedacted(secret) ? Effect.succeed(secret) : secret, (value) => ({
        value,
        text: Redacted.value(value),
      })),
      (cause) => fail({ reason: "unavailable", cause: sanitize(Cause.squash(cause)) }),
    ),
    ({ text, value }) => {
      if (text === "") return fail({ reason: "empty" })
      return isHeaderText(text) ? Effect.succeed(value) : fail({ reason: "malformed" })
    },
  )

/** No credential.
 * @category constructors
 * @since 0.1.0 */
export const none: Credential = { _tag: "None" }

const make = (
  name: string,
  secret: Secret,
  value: Effect.Effect<Redacted.Redacted, Failure>,
  { timeToLive = Duration.infinity }: Options,
): Credential => ({
  _tag: "Header",
  name,
  value,
  renewable: !Redacted.isRedacted(secret),
  timeToLive: Duration.decode(timeToLive),
})

/** A header of the given name that carries the secret as it is. With a name that no header can have, or that of one which
 * the client sets itself, every request fails with `CredentialError`.
 * @category constructors
 * @since 0.1.0 */
export const header = (name: string, secret: Secret, options: Options = {}): Credential =>
  make(name, secret, headerName.test(name) && !taken.test(name) ? checked(secret) : fail({ reason: "name" }), options)

/** `Authorization: Bearer <token>`.
 * @category constructors
 * @since 0.1.0 */
export const bearer = (token: Secret, options: Options = {}): Credential =>
  make(
    "authorization",
    token,
    Effect.map(checked(token), (value) => Redacted.make(`Bearer ${Redacted.value(value)}`)),
    options,
  )
