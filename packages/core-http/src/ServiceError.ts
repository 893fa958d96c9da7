/** HTTP error responses: one class per kind, told apart by status code. */
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { Call } from "./HttpError.js"

/** What is known of an error response.
 * @category models
 * @since 0.1.0 */
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
  /** Whether an earlier attempt may have been carried out: its connection broke, it timed out, or its status code was 500 or more. A 404 may
   * then mean that the earlier attempt removed the thing. */
  readonly repeated: boolean
}

/** Status codes of conditions that pass: the service was busy, or a gateway did not reach it. */
const transient = new Set([408, 429, 500, 502, 503, 504])

/** The message of an error response, which ends with `advice`, a sentence without its full stop: for error classes of your own.
 * @category printing
 * @since 0.1.0 */
export const say = (answer: Answer, advice: string): string => {
  // A code that repeats the status adds nothing.
  const code = answer.code === undefined || answer.code === `${answer.status}` ? "" : ` ${answer.code}`
  const detail = answer.detail === undefined ? "" : `: ${answer.detail.replace(/(?<![.\s])[.\s]+$/, "")}`
  const id = answer.requestId === undefined ? "" : ` Request ID: ${answer.requestId}.`
  return `${answer.operation}: the ${answer.service} service responded ${answer.status}${code}${detail}. ${advice}.${id}`
}

/** The class of an error response.
 * @category models
 * @since 0.1.0 */
export type ErrorClass<Tag extends string> = new (answer: Answer) => Cause.YieldableError &
  Answer & {
    readonly _tag: Tag
    /** Whether a later attempt may succeed: `true` for the status codes 408, 429, 500, 502, 503 and 504. */
    readonly retryable: boolean
  }

const define = <Tag extends string>(tag: Tag, advice: (answer: Answer) => string): ErrorClass<Tag> =>
  class extends Data.TaggedError(tag)<Answer> {
    readonly retryable = transient.has(this.status)
    override get message() {
      return say(this, advice(this))
    }
  }

/** 401: the service does not accept the credential.
 * @category errors
 * @since 0.1.0 */
export class Unauthorized extends define(
  "Unauthorized",
  () => "The token is missing, invalid or expired: sign in again or set another token",
) {}

/** 403: the credential lacks a permission.
 * @category errors
 * @since 0.1.0 */
export class Forbidden extends define("Forbidden", () => "Ask for the permission, or use a token that has it") {}

/** 404: the resource does not exist, or not for this credential.
 * @category errors
 * @since 0.1.0 */
export class NotFound extends define("NotFound", () => "Check the ID and the base URL") {}

/** 411: the service requires a body.
 * @category errors
 * @since 0.1.0 */
export class LengthRequired extends define("LengthRequired", () => "Send a body; an empty one is {}") {}

/** 429: too many requests.
 * @category errors
 * @since 0.1.0 */
export class RateLimited extends define("RateLimited", ({ retryAfter }) => {
  const wait = Option.filter(retryAfter, Duration.greaterThan(Duration.zero))
  return `Try again ${Option.isSome(wait) ? `in ${Duration.format(wait.value)}` : "later"}`
}) {}

/** Every other status code that is not a success of the request. For a GET, by default only 200 is one.
 * @category errors
 * @since 0.1.0 */
export class ServiceError extends define("ServiceError", ({ status }) => {
  if (status >= 500) return "Try again later"
  return status >= 200 && status < 300
    ? "Unexpected success status: check the effect of the request"
    : "Check the request"
}) {}

/** Every error class of an error response.
 * @category errors
 * @since 0.1.0 */
export type AnswerError = Unauthorized | Forbidden | NotFound | LengthRequired | RateLimited | ServiceError

const classes: Readonly<Record<number, new (answer: Answer) => AnswerError>> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  411: LengthRequired,
  429: RateLimited,
}

/** Makes the error of an error response: the one place where status codes are told apart.
 * @category constructors
 * @since 0.1.0 */
export const fromAnswer = (answer: Answer): AnswerError => new (classes[answer.status] ?? ServiceError)(answer)
