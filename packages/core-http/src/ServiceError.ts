/** HTTP error responses: one class per kind, told apart by status code. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { Call } from "./HttpError.js"

/**
 * What is known of an error response.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answer extends Call {
  /** The status code. */
  readonly status: number
  /** The error code in the body, if there is one: cut to 100 characters, without the credential. */
  readonly code: string | undefined
  /** The message in the body, if there is one: cut to 500 characters, without the credential. */
  readonly detail: string | undefined
  /** The service's ID of the request, for support; cut to 100 characters. */
  readonly requestId: string | undefined
  /** How long the service asks to wait (`Retry-After`). */
  readonly retryAfter: Option.Option<Duration.Duration>
  /**
   * Whether an earlier attempt may have been carried out: its connection broke, it timed out, or it was answered with a status of 500 or
   * more. A 404 may then mean that the earlier attempt removed the thing.
   */
  readonly repeated: boolean
}

/**
 * The message of an error response, ending with the advice `todo`, without its full stop: for error classes of your own.
 *
 * @category printing
 * @since 0.1.0
 */
export const say = (answer: Answer, todo: string): string => {
  // A code that repeats the status adds nothing.
  const code = answer.code === undefined || answer.code === String(answer.status) ? "" : ` ${answer.code}`
  const detail = answer.detail === undefined ? "" : `: ${answer.detail.replace(/(?<![.\s])[.\s]+$/, "")}`
  const id = answer.requestId === undefined ? "" : ` Request ID: ${answer.requestId}.`
  return `${answer.operation}: the ${answer.service} service responded ${answer.status}${code}${detail}. ${todo}.${id}`
}

/** Status codes of conditions that pass: the service was busy, or a gateway did not reach it. */
const transient = new Set([408, 429, 500, 502, 503, 504])

/**
 * 401: the service does not accept the credential.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Answer> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    return say(this, "The token is missing, invalid or expired: sign in again, or set another token")
  }
}

/**
 * 403: the credential lacks a permission.
 *
 * @category errors
 * @since 0.1.0
 */
export class Forbidden extends Data.TaggedError("Forbidden")<Answer> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    return say(this, "Ask for the permission, or use a token that has it")
  }
}

/**
 * 404: the resource does not exist, or not for this credential.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotFound extends Data.TaggedError("NotFound")<Answer> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    return say(this, "Check the ID and the base URL")
  }
}

/**
 * 411: the service requires a body.
 *
 * @category errors
 * @since 0.1.0
 */
export class LengthRequired extends Data.TaggedError("LengthRequired")<Answer> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    return say(this, "Send a body; an empty one is {}")
  }
}

/**
 * 429: too many requests.
 *
 * @category errors
 * @since 0.1.0
 */
export class RateLimited extends Data.TaggedError("RateLimited")<Answer> {
  /** Always `true`. */
  get retryable(): boolean {
    return true
  }
  override get message() {
    const wait = Option.filter(this.retryAfter, Duration.greaterThan(Duration.zero))
    return say(this, Option.isSome(wait) ? `Try again in ${Duration.format(wait.value)}` : "Try again later")
  }
}

const todoOf = (status: number): string => {
  if (status >= 500) return "The service failed: try again later"
  return status >= 200 && status < 300
    ? "The operation does not expect this success status: check the effect of the request"
    : "Check the request"
}

/**
 * Every other status code that is not a success of the request. For a GET, by default only 200 is one.
 *
 * @category errors
 * @since 0.1.0
 */
export class ServiceError extends Data.TaggedError("ServiceError")<Answer> {
  /** `true` for 408, 500, 502, 503 and 504. */
  get retryable(): boolean {
    return transient.has(this.status)
  }
  override get message() {
    return say(this, todoOf(this.status))
  }
}

/**
 * Every error class of an error response.
 *
 * @category errors
 * @since 0.1.0
 */
export type AnswerError = Unauthorized | Forbidden | NotFound | LengthRequired | RateLimited | ServiceError

/**
 * The error of an error response: the one place where status codes are told apart.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromAnswer = (answer: Answer): AnswerError => {
  switch (answer.status) {
    case 401:
      return new Unauthorized(answer)
    case 403:
      return new Forbidden(answer)
    case 404:
      return new NotFound(answer)
    case 411:
      return new LengthRequired(answer)
    case 429:
      return new RateLimited(answer)
    default:
      return new ServiceError(answer)
  }
}
