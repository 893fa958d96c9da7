/** Errors between a request and a decoded response. None contains a header, a query or a body. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import type { Refusal } from "./Link.js"
import * as systemCode from "./internal/systemCode.js"

/** The fields of every request error: which service and operation failed. @category models @since 0.1.0 */
export interface ErrorContext {
  /** The name of the service, as given to `ServiceClient.make`, such as `health`. */
  readonly service: string
  /** The name of the operation, such as `HealthClient.listBySubscription`. */
  readonly operation: string
}

/** No complete response arrived: the connection was refused or reset, the host is unknown, or TLS failed. @category errors @since 0.1.0 */
export class TransportError extends Data.TaggedError("TransportError")<
  ErrorContext & {
    /** The origin of the service, such as `https://service.example`. */
    readonly origin: string
    /** The system's code for the failure, such as `ECONNREFUSED`. */
    readonly code: string | undefined
    /** The names and codes of the HTTP client's error and its causes, without their messages, which may contain secrets. */
    readonly cause?: Error | undefined
  }
> {
  /** `false` if the HTTP client rejects the request itself, for example for a header. */
  readonly retryable = !systemCode.isInvalidRequest(this.code)
  override get message() {
    return `${this.operation}: no complete response from the ${this.service} service at ${this.origin}: ${systemCode.explain(this.code)}. Check the URL and the network.`
  }
}

/**
 * The complete response, including its body, took longer than allowed: for one attempt, or for all attempts.
 * @category errors @since 0.1.0
 */
export class TimeoutError extends Data.TaggedError("TimeoutError")<
  ErrorContext & {
    /** The origin of the service, such as `https://service.example`. */
    readonly origin: string
    /** Which timeout was reached: that of one `attempt`, or the `total` timeout. */
    readonly scope: "attempt" | "total"
    /** The value of `timeout` or `totalTimeout`. */
    readonly limit: Duration.Duration
    /** The message of the last error of an earlier attempt that was not a timeout. */
    readonly previousError?: string | undefined
  }
> {
  readonly retryable: boolean = true
  override get message() {
    const previous = this.previousError === undefined ? "" : ` Before that: ${this.previousError}`
    return `${this.operation}: no complete response from the ${this.service} service at ${this.origin} within ${Duration.format(this.limit)}${this.scope === "total" ? " in total" : ""}. Try again or allow more time.${previous}`
  }
}

/** The decompressed body is larger than the limit. The rest of it was not read. @category errors @since 0.1.0 */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<
  ErrorContext & {
    /** The value of `maxBodyBytes`. */
    readonly limit: number
  }
> {
  readonly retryable: boolean = false
  override get message() {
    return `${this.operation}: the response of the ${this.service} service exceeds the limit of ${this.limit} bytes. Check the URL and the option maxBodyBytes.`
  }
}

/** The response has a success status code and an invalid body. @category errors @since 0.1.0 */
export class DecodeError extends Data.TaggedError("DecodeError")<
  ErrorContext & {
    /** Where the body is invalid, such as `value.3.id`; empty for the whole body. Contains no value and no secret of the request. */
    readonly path: string
    /** What is wrong there, such as `is missing`. Contains no value. */
    readonly reason: string
  }
> {
  readonly retryable: boolean = false
  override get message() {
    return `${this.operation}: the response of the ${this.service} service is invalid: ${this.path === "" ? "the body" : this.path} ${this.reason}. Check the URL.`
  }
}

const linkReasons = {
  malformed: "is not a valid URL",
  scheme: "is not http or https",
  userinfo: "contains a user name or a password",
  origin: "leads to another origin",
}

const redirectReasons = {
  ...linkReasons,
  limit: "exceeds the redirect limit",
  method: "would repeat a request that changes data",
  opaque: "the browser does not disclose",
}

/**
 * A redirect was not followed: it leads to another origin, the request changes data, or there were too many.
 * @category errors @since 0.1.0
 */
export class RedirectRefused extends Data.TaggedError("RedirectRefused")<
  ErrorContext & {
    /** Why the redirect was not followed. */
    readonly reason: keyof typeof redirectReasons
    /** The origin that redirects. */
    readonly origin: string
    /** The origin of the redirect's target, if it is valid, without secrets of the request. */
    readonly target: string | undefined
  }
> {
  readonly retryable: boolean = false
  override get message() {
    const target = this.target === undefined || this.target === this.origin ? "" : ` (${this.target})`
    return `${this.operation}: the ${this.service} service at ${this.origin} sent a redirect that ${redirectReasons[this.reason]}${target}. If the service has moved, set its new URL.`
  }
}

/**
 * A link of the service was not followed. The error keeps only origins, because links contain secrets.
 * @category errors @since 0.1.0
 */
export class LinkRefused extends Data.TaggedError("LinkRefused")<Refusal & ErrorContext> {
  readonly retryable: boolean = false
  override get message() {
    const target = this.target === undefined ? "" : `: ${this.target} instead of ${this.origin}`
    return `${this.operation}: a link of the ${this.service} service ${linkReasons[this.reason]}${target}. Report it to the service.`
  }
}

const credentialReasons = {
  exposed: ["would be sent over plain HTTP to another machine", "Use https"],
  malformed: ["contains a character that a header cannot carry", "Check how it was stored"],
  empty: ["is empty", "Set it"],
  name: ["has an invalid header name", "Use another name"],
  unavailable: ["could not be fetched", "Sign in again, or check where it is stored"],
  timeout: ["was not fetched in time", "Check where it is stored"],
  closed: ["cannot be fetched in a closed scope", "Keep the scope open"],
} as const

/**
 * The credential was not sent: it could not be fetched, a header cannot carry it, or plain HTTP would expose it.
 * @category errors @since 0.1.0
 */
export class CredentialError extends Data.TaggedError("CredentialError")<{
  /** The name of the service, as given to `ServiceClient.make`. */
  readonly service: string
  /** The operation that needs the credential; `undefined` when the client is made. */
  readonly operation: string | undefined
  /** What is wrong. An effect that fetches the credential fails with `timeout`, `unavailable` or `closed`. */
  readonly reason: keyof typeof credentialReasons
  /** The error that a credential passed on with its message. For other errors, only names and codes. */
  readonly cause?: (Error & { readonly retryable?: boolean }) | undefined
}> {
  /** `true` for `timeout`, and if the cause is `retryable`. */
  readonly retryable = this.reason === "timeout" || this.cause?.retryable === true
  override get message() {
    const subject = this.operation === undefined ? "The" : `${this.operation}: the`
    const [problem, advice] = credentialReasons[this.reason]
    const { message = "", name } = this.cause ?? {}
    // An error that a credential passed on has a message with its own advice.
    const reason = message || `${name ?? problem}. ${advice}.`
    return `${subject} credential for the ${this.service} service ${name === undefined ? "" : `${problem}: `}${reason}`
  }
}
