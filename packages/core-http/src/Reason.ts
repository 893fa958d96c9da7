/**
 * Why a request failed. None of the reasons contains a header, a query or a body. Each `message` says what the service did, and `isRetryable`
 * whether a later request may succeed.
 */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { formatError } from "./internal/formatError.js"
import * as systemCode from "./internal/systemCode.js"

/** No complete response arrived: the connection was refused or reset, the host is unknown, or TLS failed. @category reasons @since 0.1.0 */
export class Transport extends Schema.TaggedError<Transport>()("Transport", {
  /** The origin of the service, such as `https://service.example`. */
  origin: Schema.String,
  /** The system's code for the failure, such as `ECONNREFUSED`. */
  code: Schema.optional(Schema.String),
  /** The names and codes of the HTTP client's error and its causes, without their messages, which may contain secrets. */
  cause: Schema.optional(Schema.Defect()),
}) {
  readonly isRetryable: boolean = !systemCode.isInvalidRequest(this.code)
  override get message(): string {
    return `at ${this.origin} sent no complete response: ${systemCode.explain(this.code)}. Check the URL and the network.`
  }
}

/** The complete response, including its body, took longer than allowed, or the request could not be sent in time. @category reasons @since 0.1.0 */
export class Timeout extends Schema.TaggedError<Timeout>()("Timeout", {
  /** The origin of the service, such as `https://service.example`. */
  origin: Schema.String,
  /**
   * Which timeout was reached: that of one `attempt`, or the `total` timeout of a request with all its waits. `wait` is the total timeout as well,
   * if nothing was sent, because the request waited for others, the rate limit, `Retry-After` or the credential.
   */
  scope: Schema.Literals(["attempt", "total", "wait"]),
  /** The value of `timeout` or `totalTimeout`. */
  limit: Schema.Duration,
  /** The message of the last error of an earlier attempt that was not a timeout. */
  previousError: Schema.optional(Schema.String),
}) {
  readonly isRetryable: boolean = true
  override get message(): string {
    const previous = this.previousError === undefined ? "" : ` Before that: ${this.previousError}`
    const problem = this.scope === "wait" ? "got no request, which waited for its turn," : "sent no complete response"
    return `at ${this.origin} ${problem} within ${Duration.format(this.limit)}${this.scope === "attempt" ? "" : " in total"}. Try again or allow more time.${previous}`
  }
}

/** The decompressed body is larger than the limit. The rest of it was not read. @category reasons @since 0.1.0 */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  /** The value of `maxBodyBytes`. */
  limit: Schema.Number,
}) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return `sent a response above the limit of ${this.limit} bytes. Check the URL and the option maxBodyBytes.`
  }
}

/** The response has a success status code and an invalid body. @category reasons @since 0.1.0 */
export class Decode extends Schema.TaggedError<Decode>()("Decode", {
  /** Where the body is invalid, such as `value.3.id`; empty for the whole body. Contains no value and no secret of the request. */
  path: Schema.String,
  /** What is wrong there, such as `is missing`. Contains no value. */
  problem: Schema.String,
  /** The code of the error that the body contains, if any; cut to 100 characters. */
  code: Schema.optional(Schema.String),
  /** The message of the error that the body contains, if any; cut to 500 characters. */
  detail: Schema.optional(Schema.String),
}) {
  readonly isRetryable: boolean = false
  override get message(): string {
    const error = formatError(this.code, this.detail)
    if (error !== "") return `sent a success status with the error${error}. Try again later.`
    return `sent an invalid response: ${this.path === "" ? "the body" : this.path} ${this.problem}. Check the URL.`
  }
}

const linkProblems = {
  malformed: "is invalid",
  scheme: "is not http or https",
  userinfo: "contains a user name or a password",
  origin: "leads to another origin",
}

const requestProblems = {
  ...linkProblems,
  path: "is invalid: a path must begin with `/`, without dot segments",
}

const redirectProblems = {
  ...linkProblems,
  limit: "exceeds the redirect limit",
  method: "would repeat a request that changes data",
  opaque: "the browser does not disclose",
}

/** A redirect was not followed: it leads to another origin, the request changes data, or there were too many. @category reasons @since 0.1.0 */
export class Redirect extends Schema.TaggedError<Redirect>()("Redirect", {
  /** Why the redirect was not followed. */
  problem: Schema.Literals(Struct.keys(redirectProblems)),
  /** The origin that redirects. */
  origin: Schema.String,
  /** The origin of the redirect's target, if it is valid, without secrets of the request. */
  target: Schema.optional(Schema.String),
}) {
  readonly isRetryable: boolean = false
  override get message(): string {
    const target = this.target === undefined || this.target === this.origin ? "" : ` (${this.target})`
    return `at ${this.origin} sent a redirect that ${redirectProblems[this.problem]}${target}. If the service has moved, set its new URL.`
  }
}

/**
 * Nothing was sent: the URL is invalid, or leads to another origin. It is that of a request, or a link of the service. Only origins are kept,
 * because links contain secrets.
 * @category reasons @since 0.1.0
 */
export class Link extends Schema.TaggedError<Link>()("Link", {
  /** What is wrong with the URL. A `path` without a leading `/`, or with a segment `.` or `..`, leads to another path. */
  problem: Schema.Literals(Struct.keys(requestProblems)),
  /** The origin of the base URL of the link. */
  origin: Schema.String,
  /** The other origin, for the problem `origin`. */
  target: Schema.optional(Schema.String),
}) {
  readonly isRetryable: boolean = false
  override get message(): string {
    const target = this.target === undefined ? "" : `: ${this.target} instead of ${this.origin}`
    return `got no request: the URL ${requestProblems[this.problem]}${target}. Check the URL.`
  }
}

const credentialProblems = {
  malformed: ["contains a character that a header cannot carry", "Check how it was stored"],
  empty: ["is empty", "Set it"],
  name: ["has an invalid header name", "Use another name"],
  unavailable: ["could not be fetched", "Sign in again, or check where it is stored"],
  timeout: ["was not fetched in time", "Check where it is stored"],
  wiped: ["was wiped", "Keep the secrets of a request until it ends"],
  closed: ["cannot be fetched in a closed scope", "Keep the scope open"],
} as const

/** Nothing was sent, because the credential could not be fetched, or a header cannot carry it. @category reasons @since 0.1.0 */
export class Credential extends Schema.TaggedError<Credential>()("Credential", {
  /** What is wrong. An effect that fetches the credential fails with `timeout`, `unavailable` or `closed`. */
  problem: Schema.Literals(Struct.keys(credentialProblems)),
  /** Whether a later attempt may succeed: for `timeout`, and if `isRetryable` of the error of the effect is `true`. */
  isRetryable: Schema.Boolean,
  /** The error that a credential passed on with its message. For other errors, only names and codes. */
  cause: Schema.optional(Schema.Defect()),
}) {
  override get message(): string {
    const [problem, advice] = credentialProblems[this.problem]
    const { message = "", name } = this.cause instanceof Error ? this.cause : {}
    // An error that a credential passed on has a message with its own advice.
    const reason = message || `${name ?? problem}. ${advice}.`
    return `got no request: the credential ${name === undefined ? "" : `${problem}: `}${reason}`
  }
}
