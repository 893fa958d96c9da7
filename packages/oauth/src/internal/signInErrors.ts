/** The errors of a sign-in; public in `OAuthImplicit`. Apart, so that a bundle of `makeRandomText` does not contain schemas. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

/** The response does not belong to this request, and may be forged (RFC 6749, 10.12). @category errors @since 0.1.0 */
export class StateMismatch extends Schema.TaggedError<StateMismatch>()("StateMismatch", {}) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return "The sign-in response does not have the state of this sign-in, and was not used. Sign in again in the same browser."
  }
}

/**
 * The authorization server refused the sign-in. `code` is from RFC 6749, 4.2.2.1, such as `access_denied`, or the server's own. `code` and
 * `description` are short single lines without control characters.
 * @category errors @since 0.1.0
 */
export class AuthorizationRefused extends Schema.TaggedError<AuthorizationRefused>()("AuthorizationRefused", {
  code: Schema.String,
  description: Schema.optional(Schema.String),
}) {
  readonly isRetryable: boolean = false
  override get message(): string {
    const why = this.description === undefined ? "" : ` (${this.description})`
    return `The sign-in was refused: ${this.code}${why}. Sign in again, or ask the operator of the service for access.`
  }
}

const responseReasons = {
  empty: "has an empty fragment",
  repeated: "contains a parameter twice",
  both: "contains a token and an error",
  missing: "contains no access token",
  token: "contains an access token with invalid characters",
  type: "has another token type than Bearer",
  lifetime: "has a lifetime that is not a positive number of seconds",
  nonce: "contains an ID token of another sign-in",
}

/** The response contains no usable token. @category errors @since 0.1.0 */
export class InvalidResponse extends Schema.TaggedError<InvalidResponse>()("InvalidResponse", {
  reason: Schema.Literals(Struct.keys(responseReasons)),
}) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return `The sign-in response ${responseReasons[this.reason]}. Pass the complete URL of the redirect, or sign in again.`
  }
}
