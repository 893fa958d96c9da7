/** The errors of a sign-in. None contains a token or a URL. */
import * as Data from "effect/Data"
import * as signInAddress from "./internal/signInAddress.js"

const asked = {
  authUrl: "The address of the authorization server",
  redirectUri: "The redirect address",
  clientId: "The client id",
  state: "The state",
  nonce: "The nonce",
}

const requestReasons = { ...signInAddress.reasons, empty: "is empty" }

/** An option is invalid. Its value is not part of the error, because it may contain a password. @category errors @since 0.1.0 */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{
  /** The invalid option. */
  readonly option: keyof typeof asked
  readonly reason: keyof typeof requestReasons
}> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }

  override get message() {
    const example = this.reason === "empty" ? "Set it" : "Give one such as https://sign-in.example"
    return `${asked[this.option]} ${requestReasons[this.reason]}. ${example}.`
  }
}

const stateReasons = {
  missing: "holds no state",
  repeated: "holds more than one state",
  different: "holds another state",
}

/** The response does not belong to this request, and may be forged (RFC 6749, 10.12). @category errors @since 0.1.0 */
export class StateMismatch extends Data.TaggedError("StateMismatch")<{
  readonly reason: keyof typeof stateReasons
}> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }

  override get message() {
    return `The answer to the sign-in ${stateReasons[this.reason]}, and was not used. Sign in again, from the same browser.`
  }
}

/**
 * The authorization server refused the sign-in. `code` is from RFC 6749, 4.2.2.1, such as `access_denied`, or the server's own. `code` and
 * `description` are short single lines without control characters.
 * @category errors @since 0.1.0
 */
export class AuthorizationRefused extends Data.TaggedError("AuthorizationRefused")<{
  readonly code: string
  readonly description: string | undefined
}> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }

  override get message() {
    const why = this.description === undefined ? "" : ` (${this.description})`
    return `The sign-in was refused: ${this.code}${why}. Sign in again, or ask who runs the service for the right to.`
  }
}

const answerReasons = {
  empty: "has nothing in its fragment",
  repeated: "says something twice",
  both: "holds a token and an error",
  missing: "holds no access token",
  token: "holds an access token that no header may carry",
  type: "is not of the token type Bearer",
  lifetime: "has a lifetime that is no positive number of seconds",
  nonce: "holds an identity token of another sign-in",
}

/** The response contains no usable token. @category errors @since 0.1.0 */
export class MalformedAnswer extends Data.TaggedError("MalformedAnswer")<{
  readonly reason: keyof typeof answerReasons
}> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }

  override get message() {
    return `The answer to the sign-in ${answerReasons[this.reason]}. Give the whole address that the browser was sent back to, or sign in again.`
  }
}

/** Errors of `readResponse`. @category errors @since 0.1.0 */
export type AnswerError = StateMismatch | AuthorizationRefused | MalformedAnswer
