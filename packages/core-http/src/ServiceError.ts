/** HTTP error responses: one class per kind, distinguished by status code. */
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { ErrorContext } from "./HttpError.js"

/** The fields of an error response. None contains the credential. @category models @since 0.1.0 */
export interface ErrorResponse extends ErrorContext {
  /** The status code. */
  readonly status: number
  /** The error code in the body, if there is one; cut to 100 characters. */
  readonly code: string | undefined
  /** The message in the body, if there is one; cut to 500 characters. */
  readonly detail: string | undefined
  /** The service's ID of the request, for support; cut to 100 characters. */
  readonly requestId: string | undefined
  /** The requested wait (`Retry-After`). */
  readonly retryAfter: Option.Option<Duration.Duration>
  /** Whether the service may have processed an earlier attempt, which lost its connection, timed out, or got a 5xx. */
  readonly maybeApplied: boolean
  /** The `source` of the credential. */
  readonly credentialSource?: string | undefined
}

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504])

/**
 * Formats the message of an error response, for your own error classes. `advice` is its last sentence, without the full stop.
 * @category printing @since 0.1.0
 */
export const formatMessage = (response: ErrorResponse, advice: string): string => {
  const { operation, requestId, service, status } = response
  // A code that repeats the status adds nothing.
  const code = response.code === undefined || response.code === `${status}` ? "" : ` ${response.code}`
  const detail = response.detail === undefined ? "" : `: ${response.detail.replace(/(?<![.\s])[.\s]+$/, "")}`
  const id = requestId === undefined ? "" : ` Request ID: ${requestId}.`
  return `${operation}: the ${service} service responded ${status}${code}${detail}. ${advice}.${id}`
}

/**
 * The class of an error response. `retryable` is `true` for the status codes 408, 429, 500, 502, 503 and 504.
 * @category models @since 0.1.0
 */
export type ErrorClass<Tag extends string> = new (
  response: ErrorResponse,
) => Cause.YieldableError & ErrorResponse & { readonly _tag: Tag; readonly retryable: boolean }

const define = <Tag extends string>(tag: Tag, advice: (response: ErrorResponse) => string): ErrorClass<Tag> =>
  class extends Data.TaggedError(tag)<ErrorResponse> {
    readonly retryable = retryableStatuses.has(this.status)
    override get message() {
      return formatMessage(this, advice(this))
    }
  }

/** 401: the service does not accept the credential. @category errors @since 0.1.0 */
export class Unauthorized extends define("Unauthorized", ({ credentialSource }) =>
  credentialSource === undefined
    ? "The token is missing, invalid or expired: sign in again or set another token"
    : `The token is from ${credentialSource}: check its account, its scope and the base URL`,
) {}

/** 403: the credential lacks a permission. @category errors @since 0.1.0 */
export class Forbidden extends define("Forbidden", () => "Ask for the permission, or use a token that has it") {}

/**
 * 404: the resource does not exist, or this credential must not see it. With `maybeApplied`, an earlier attempt may have removed it.
 * @category errors @since 0.1.0
 */
export class NotFound extends define("NotFound", () => "Check the ID and the base URL") {}

/** 429: too many requests. @category errors @since 0.1.0 */
export class RateLimited extends define("RateLimited", ({ retryAfter }) => {
  const wait = Option.filter(retryAfter, Duration.isGreaterThan(Duration.zero))
  return `Try again ${Option.isSome(wait) ? `in ${Duration.format(wait.value)}` : "later"}`
}) {}

/** Every other status code that the request does not define as a success. @category errors @since 0.1.0 */
export class ServiceError extends define("ServiceError", ({ status }) => {
  if (status >= 500) return "Try again later"
  return status >= 200 && status < 300
    ? "Unexpected success status: check the effect of the request"
    : "Check the request"
}) {}

/** The errors of all error responses. @category errors @since 0.1.0 */
export type StatusError = Unauthorized | Forbidden | NotFound | RateLimited | ServiceError

const classes: Readonly<Record<number, new (response: ErrorResponse) => StatusError>> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  429: RateLimited,
}

/** Makes the error for the status code of a response. @category constructors @since 0.1.0 */
export const fromResponse = (response: ErrorResponse): StatusError =>
  new (classes[response.status] ?? ServiceError)(response)
