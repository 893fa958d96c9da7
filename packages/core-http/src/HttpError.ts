/** What can go wrong on the way to a service and back. No error here holds a header, a query or a body. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import type { Refusal } from "./Link.js"

/**
 * No answer came: refused, reset, unknown host, failed TLS. `code` is the system's name for it where there is one, such
 * as `ECONNREFUSED`.
 *
 * @category errors
 * @since 0.1.0
 */
export class TransportError extends Data.TaggedError("TransportError")<{
  /** The name of the request, such as `HealthClient.listBySubscription`. */
  readonly operation: string
  /** The origin of the service, such as `https://service.example`. */
  readonly origin: string
  readonly code: string | undefined
}> {
  override get message() {
    const why = this.code === undefined ? "the connection failed" : (transportReasons[this.code] ?? this.code)
    return `${this.operation}: no answer from ${this.origin}: ${why}. Check the address, the network, and that the service runs.`
  }
}

const transportReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused (ECONNREFUSED)",
  ECONNRESET: "the connection was reset (ECONNRESET)",
  EPIPE: "the connection was closed (EPIPE)",
  ENOTFOUND: "the host is unknown (ENOTFOUND)",
  EAI_AGAIN: "the host's name could not be looked up (EAI_AGAIN)",
  UND_ERR_SOCKET: "the connection was closed (UND_ERR_SOCKET)",
  HPE_INVALID_CONSTANT: "what answered does not speak HTTP (HPE_INVALID_CONSTANT)",
  CERT_HAS_EXPIRED: "its certificate has expired (CERT_HAS_EXPIRED)",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by nobody that is trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by nobody that is trusted (SELF_SIGNED_CERT_IN_CHAIN)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its certificate is signed by nobody that is trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)",
}

const timeoutScopes = { attempt: "", total: ", all its attempts and the waits between them included" }

/**
 * The answer, its body included, took longer than the time allowed: for one attempt, or for all of them.
 * `before` is what the attempt before said, where there was one.
 *
 * @category errors
 * @since 0.1.0
 */
export class TimeoutError extends Data.TaggedError("TimeoutError")<{
  /** The name of the request, such as `HealthClient.listBySubscription`. */
  readonly operation: string
  /** The origin of the service, such as `https://service.example`. */
  readonly origin: string
  /** What took too long: one `attempt`, or in `total`. */
  readonly scope: keyof typeof timeoutScopes
  /** The time allowed: `timeout` or `totalTimeout`. */
  readonly after: Duration.Duration
  readonly before?: string | undefined
}> {
  override get message() {
    const before = this.before === undefined ? "" : ` Before that: ${this.before}`
    return `${this.operation}: no whole answer from ${this.origin} within ${Duration.format(this.after)}${timeoutScopes[this.scope]}. Try again, or allow more time.${before}`
  }
}

/**
 * The body is larger than the limit, in bytes (decompressed, if it came compressed), and was not read to its end.
 *
 * @category errors
 * @since 0.1.0
 */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{
  /** The name of the request, such as `HealthClient.listBySubscription`. */
  readonly operation: string
  /** In bytes: `maxBodyBytes`. */
  readonly limit: number
}> {
  override get message() {
    return `${this.operation}: the answer is larger than ${this.limit} bytes, the limit that was set. Raise maxBodyBytes if that much is expected.`
  }
}

/**
 * The answer has a success status and is not what the contract says. `path` names the place in it, in the document's
 * names; no value is kept.
 *
 * @category errors
 * @since 0.1.0
 */
export class DecodeError extends Data.TaggedError("DecodeError")<{
  /** The name of the request, such as `HealthClient.listBySubscription`. */
  readonly operation: string
  readonly path: string
  /** What is wrong there, in words that follow the place. */
  readonly reason: string
}> {
  override get message() {
    return `${this.operation}: the answer is not what the contract says: ${this.path === "" ? "it" : this.path} ${this.reason}. Check that the base address is the service's.`
  }
}

const redirectReasons = {
  origin: "to another origin",
  malformed: "to what is no address",
  scheme: "to what is neither http nor https",
  userinfo: "to an address with a user or a password",
  limit: "too often",
  method: "a request that changes something",
  opaque: "to an address that the browser does not tell",
}

/**
 * The service answered with a redirect that is not followed: it would carry the credential elsewhere, or a change to
 * another place, or it never ends. `target` is the origin that it leads to, where there is one.
 *
 * @category errors
 * @since 0.1.0
 */
export class RedirectRefused extends Data.TaggedError("RedirectRefused")<{
  /** The name of the request, such as `HealthClient.listBySubscription`. */
  readonly operation: string
  /** Why it was not followed. */
  readonly reason: keyof typeof redirectReasons
  /** The origin that redirects. */
  readonly origin: string
  readonly target: string | undefined
}> {
  override get message() {
    const target = this.target === undefined || this.target === this.origin ? "" : ` (${this.target})`
    return `${this.operation}: ${this.origin} redirects ${redirectReasons[this.reason]}${target}, and was not followed. If the service has moved, set its new base address.`
  }
}

const addressOptions = { baseUrl: "The base address", trustedOrigins: "A trusted origin" }

const baseUrlReasons = {
  malformed: "is not a valid address",
  scheme: "is not http or https",
  userinfo: "holds a user or a password",
  query: "has a query or a fragment",
  path: "has a path",
}

/**
 * The base address, or a trusted origin, is none that a client can use. It is not kept, as it may hold a password.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidBaseUrl extends Data.TaggedError("InvalidBaseUrl")<{
  /** Which of the two it is. */
  readonly option: keyof typeof addressOptions
  /** Why no client can use it. */
  readonly reason: keyof typeof baseUrlReasons
}> {
  override get message() {
    return `${addressOptions[this.option]} ${baseUrlReasons[this.reason]}. Give one such as https://service.example.`
  }
}

/**
 * The client can't be made with this setting: a limit that would limit nothing or stop everything, or a text that no header
 * may carry.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidSetting extends Data.TaggedError("InvalidSetting")<{
  /** The name of the option, such as `concurrency`. */
  readonly setting: string
  /** What it has to be, in words. */
  readonly expected: string
}> {
  override get message() {
    return `The setting ${this.setting} is not ${this.expected}. Set another one, or leave it out.`
  }
}

const linkReasons = {
  malformed: "is not a valid address",
  scheme: "is not http or https",
  userinfo: "holds a user or a password",
  origin: "leads to another origin",
}

/**
 * A link of the service was not followed, and nothing was sent to it. Everything before it was delivered. Only origins are
 * kept of it, as links hold secrets. `operation` is the call that met it.
 *
 * @category errors
 * @since 0.1.0
 */
export class LinkRefused extends Data.TaggedError("LinkRefused")<Refusal & { readonly operation: string }> {
  override get message() {
    const target = this.target === undefined ? "" : `, ${this.target} instead of ${this.origin}`
    return `${this.operation}: a link of the service ${linkReasons[this.reason]}${target}, and was not followed. Report it to the service: what it lists is not complete.`
  }
}

const credentialReasons = {
  exposed: "would be sent over plain http to another machine. Use https",
  malformed: "holds a character that no header may carry, such as a line break. Check how it was stored",
  empty: "is empty. Set it",
  name: "has a header name that is none. Check how it was made",
  unavailable: "could not be had. Sign in again, or check where it is kept",
  late: "was not handed out in time. Check where it is kept",
}

/**
 * The credential was not sent: it is missing, cannot stand in a header, or would be readable on its way. `operation` is
 * the one that needed it; none when the client can't be made with it.
 *
 * @category errors
 * @since 0.1.0
 */
export class CredentialError extends Data.TaggedError("CredentialError")<{
  /** What is the matter with it; `late` and `unavailable` are about an effect that hands it out. */
  readonly reason: keyof typeof credentialReasons
  readonly operation?: string | undefined
}> {
  override get message() {
    const what = this.operation === undefined ? "The" : `${this.operation}: the`
    return `${what} credential ${credentialReasons[this.reason]}.`
  }
}
