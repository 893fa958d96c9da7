/** What can go wrong between a request and a readable response. No error contains a header, a query or a body. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import type { Refusal } from "./Link.js"
import * as systemCode from "./internal/systemCode.js"

/** The request that failed: every request error carries it.
 * @category models
 * @since 0.1.0 */
export interface Call {
  /** The name of the service, as given to `ServiceClient.make`, such as `health`. */
  readonly service: string
  /** The name of the operation, such as `HealthClient.listBySubscription`. */
  readonly operation: string
}

/** No response arrived: the connection was refused or reset, the host is unknown, or TLS failed.
 * @category errors
 * @since 0.1.0 */
export class TransportError extends Data.TaggedError("TransportError")<
  Call & {
    /** The origin of the service, such as `https://service.example`. */
    readonly origin: string
    /** The system's code for the failure, such as `ECONNREFUSED`, where there is one. */
    readonly code: string | undefined
    /** The error of the HTTP client and its causes: their names and codes. Their messages may contain secrets, and are not kept. */
    readonly cause?: Error | undefined
  }
> {
  /** `false` if the HTTP client rejects the request itself, for example because of a header; else `true`. */
  readonly retryable = !systemCode.isUnsendable(this.code)
  override get message() {
    return `${this.operation}: no response from the ${this.service} service at ${this.origin}: ${systemCode.explain(this.code)}. Check the URL and the network.`
  }
}

/** The complete response, its body included, took longer than allowed: for one attempt, or for all of them.
 * @category errors
 * @since 0.1.0 */
export class TimeoutError extends Data.TaggedError("TimeoutError")<
  Call & {
    /** The origin of the service, such as `https://service.example`. */
    readonly origin: string
    /** What took too long: one `attempt`, or the request in `total`. */
    readonly scope: "attempt" | "total"
    /** The time allowed: `timeout` or `totalTimeout`. */
    readonly after: Duration.Duration
    /** The message of the last error of an earlier attempt that was not a timeout. */
    readonly before?: string | undefined
  }
> {
  /** Always `true`. */
  readonly retryable: boolean = true
  override get message() {
    const before = this.before === undefined ? "" : ` Before that: ${this.before}`
    return `${this.operation}: no complete response from the ${this.service} service at ${this.origin} within ${Duration.format(this.after)}${this.scope === "total" ? " in total" : ""}. Try again or allow more time.${before}`
  }
}

/** The body is larger than the limit, after decompression. The rest of it was not read.
 * @category errors
 * @since 0.1.0 */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<
  Call & {
    /** In bytes: `maxBodyBytes`. */
    readonly limit: number
  }
> {
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    return `${this.operation}: the response of the ${this.service} service exceeds the limit of ${this.limit} bytes. Raise maxBodyBytes.`
  }
}

/** The response has a success status and an invalid body.
 * @category errors
 * @since 0.1.0 */
export class DecodeError extends Data.TaggedError("DecodeError")<
  Call & {
    /** Where the body is invalid, such as `value.3.id`; empty for the whole body. Contains no value, and no secret of the request. */
    readonly path: string
    /** What is wrong there, such as `is missing`. Contains no value. */
    readonly reason: string
  }
> {
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    return `${this.operation}: the response of the ${this.service} service is invalid: ${this.path === "" ? "the body" : this.path} ${this.reason}. Check the base URL.`
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
  limit: "is one too many",
  method: "is of a request that changes data",
  opaque: "browsers do not disclose",
}

/** The service responded with a redirect that is not followed: to another origin, of a request that changes data, or too often.
 * @category errors
 * @since 0.1.0 */
export class RedirectRefused extends Data.TaggedError("RedirectRefused")<
  Call & {
    /** Why the redirect was not followed. */
    readonly reason: keyof typeof redirectReasons
    /** The origin that redirects. */
    readonly origin: string
    /** The origin of the redirect's target, if it is valid, without secrets of the request. */
    readonly target: string | undefined
  }
> {
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    const target = this.target === undefined || this.target === this.origin ? "" : ` (${this.target})`
    return `${this.operation}: the ${this.service} service at ${this.origin} sent a redirect that ${redirectReasons[this.reason]}${target}. If the service has moved, set its new base URL.`
  }
}

/** A link of the service was not followed, and no request was sent. The error keeps only origins, since links contain secrets.
 * @category errors
 * @since 0.1.0 */
export class LinkRefused extends Data.TaggedError("LinkRefused")<Refusal & Call> {
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    const target = this.target === undefined ? "" : `: ${this.target} instead of ${this.origin}`
    return `${this.operation}: a link of the ${this.service} service ${linkReasons[this.reason]}${target}. Report it to the service: the list is incomplete.`
  }
}

/** What is wrong with the credential, and what to do. */
const credentialReasons = {
  exposed: ["would be sent over plain HTTP to another machine", "Use https"],
  malformed: ["contains a character that a header cannot carry", "Check how it was stored"],
  empty: ["is empty", "Set it"],
  name: ["has an invalid header name", "Use another name"],
  unavailable: ["could not be fetched", "Sign in again, or check where it is stored"],
  late: ["was not fetched in time", "Check where it is stored"],
  closed: ["cannot be fetched in a closed scope", "Keep the scope open"],
} as const

/** The credential was not sent: it could not be fetched, a header cannot carry it, or plain HTTP would expose it.
 * @category errors
 * @since 0.1.0 */
export class CredentialError extends Data.TaggedError("CredentialError")<{
  /** The name of the service, as given to `ServiceClient.make`. */
  readonly service: string
  /** The operation that needs the credential; `undefined` if the client cannot be made with it. */
  readonly operation: string | undefined
  /** What is wrong; `late`, `unavailable` and `closed` are about an effect that fetches the credential. */
  readonly reason: keyof typeof credentialReasons
  /** The error that the effect failed with: its names and codes. Its messages may contain the secret, and are not kept. */
  readonly cause?: Error | undefined
}> {
  /** `true` if fetching the credential took too long. */
  readonly retryable = this.reason === "late"
  override get message() {
    const subject = this.operation === undefined ? "The" : `${this.operation}: the`
    const cause = this.cause === undefined ? "" : `: ${this.cause.name}`
    const [problem, advice] = credentialReasons[this.reason]
    return `${subject} credential for the ${this.service} service ${problem}${cause}. ${advice}.`
  }
}
