/** The reasons of error responses: one class per kind, distinguished by status code. None contains the credential. */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { formatError } from "./internal/formatError.js"

const fields = {
  /** The status code. */
  status: Schema.Int,
  /** The error code in the body, if there is one; cut to 100 characters. */
  code: Schema.optional(Schema.String),
  /** The message in the body, if there is one; cut to 500 characters. */
  detail: Schema.optional(Schema.String),
  /** The service's ID of the request, for support; cut to 100 characters. */
  requestId: Schema.optional(Schema.String),
  /** The requested wait (`Retry-After`). */
  retryAfter: Schema.optional(Schema.Duration),
  /** The `source` of the credential. */
  credentialSource: Schema.optional(Schema.String),
}

/** The fields of an error response. @category models @since 0.1.0 */
export interface ErrorResponse extends Schema.Schema.Type<Schema.Struct<typeof fields>> {}

/**
 * Formats what a service responded, for the `message` of your own reasons. `advice` is its last sentence, without the full stop.
 * @category printing @since 0.1.0
 */
export const formatMessage = (response: ErrorResponse, advice: string): string => {
  const { code, detail, requestId, status } = response
  const id = requestId === undefined ? "" : ` Request ID: ${requestId}.`
  // A code that repeats the status adds nothing.
  return `responded ${status}${formatError(code === `${status}` ? undefined : code, detail)}. ${advice}.${id}`
}

/** 401: the service does not accept the credential. @category reasons @since 0.1.0 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", fields) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return formatMessage(
      this,
      this.credentialSource === undefined
        ? "The token is missing, invalid or expired: sign in again or set another token"
        : `The token is from ${this.credentialSource}: check its account, its scope and the base URL`,
    )
  }
}

/** 403: the credential lacks a permission. @category reasons @since 0.1.0 */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", fields) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return formatMessage(this, "Ask for the permission, or use a token that has it")
  }
}

/** 404: the resource does not exist, or this credential must not see it. @category reasons @since 0.1.0 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", fields) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return formatMessage(this, "Check the ID and the base URL")
  }
}

/** 429: too many requests. @category reasons @since 0.1.0 */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", fields) {
  readonly isRetryable: boolean = true
  override get message(): string {
    const wait = this.retryAfter ?? Duration.zero
    const days = Duration.toMillis(wait) / 86_400_000
    const when = days > 365 ? "in over a year" : days > 0 ? `in ${Duration.format(wait)}` : "later"
    return formatMessage(this, `Try again ${when}`)
  }
}

/** Every other status code that the request does not define as a success. @category reasons @since 0.1.0 */
export class ServiceFailure extends Schema.TaggedError<ServiceFailure>()("ServiceFailure", fields) {
  readonly isRetryable: boolean = [408, 500, 502, 503, 504].includes(this.status)
  override get message(): string {
    const { status } = this
    if (status >= 500 || status === 408) return formatMessage(this, "Try again later")
    if (status === 204 || status === 205) return formatMessage(this, "The response has no content: check the URL")
    const isSuccess = status >= 200 && status < 300
    return formatMessage(
      this,
      isSuccess ? "The call does not accept this status: check what the request changed" : "Check the request",
    )
  }
}

/** The reasons of all error responses. @category schemas @since 0.1.0 */
export const StatusReason = Schema.Union([Unauthorized, Forbidden, NotFound, RateLimited, ServiceFailure])

/** The reasons of all error responses. @category models @since 0.1.0 */
export type StatusReason = typeof StatusReason.Type

const classes: Readonly<Record<number, new (response: ErrorResponse) => StatusReason>> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  429: RateLimited,
}

/** Makes the reason for the status code of a response. @category constructors @since 0.1.0 */
export const fromResponse = (response: ErrorResponse): StatusReason =>
  new (classes[response.status] ?? ServiceFailure)(response)
