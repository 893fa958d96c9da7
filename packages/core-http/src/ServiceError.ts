/** Answers that say no: one error a kind, told apart by status, with what the service said about it. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import type * as Option from "effect/Option"

/**
 * What is known of an answer that says no. `code` and `detail` are the service's own words, where there are any: cut to
 * 100 and 500 characters, and free of the credential, should the service repeat it. `retryAfter` is how long it asks to
 * wait. `repeated` says that the request was sent before, and may have been carried out then: the connection broke, no answer came
 * in time, or the service was in trouble. What can't be found now may be what was removed then.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answer {
  /** The name of the request, such as `HealthClient.listBySubscription`. */
  readonly operation: string
  /** The HTTP status. */
  readonly status: number
  readonly code: string | undefined
  readonly detail: string | undefined
  /** The service's id of the request, to be named when asking for help; cut to 100 characters. */
  readonly requestId: string | undefined
  readonly retryAfter: Option.Option<Duration.Duration>
  readonly repeated: boolean
}

/**
 * What happened, in a sentence, and `todo`, what to do about it, without its full stop: for errors of one's own that are made of answers.
 *
 * @category printing
 * @since 0.1.0
 */
export const say = (answer: Answer, todo: string): string => {
  // A code that is the status says nothing new.
  const code = answer.code === undefined || answer.code === String(answer.status) ? "" : ` ${answer.code}`
  const detail = answer.detail === undefined ? "" : `: ${answer.detail.replace(/[.\s]+$/, "")}`
  const id = answer.requestId === undefined ? "" : ` Request id: ${answer.requestId}.`
  return `${answer.operation}: the service answered ${answer.status}${code}${detail}. ${todo}.${id}`
}

/**
 * 401: the service does not accept the credential.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Answer> {
  override get message() {
    return say(this, "The token is missing, wrong or expired: sign in again or set another one")
  }
}

/**
 * 403: the credential is accepted and has no right to this.
 *
 * @category errors
 * @since 0.1.0
 */
export class Forbidden extends Data.TaggedError("Forbidden")<Answer> {
  override get message() {
    return say(this, "Ask for the right, or use a token that has it")
  }
}

/**
 * 404: there is no such thing, or not for this credential.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotFound extends Data.TaggedError("NotFound")<Answer> {
  override get message() {
    return say(this, "Check the id and the base address")
  }
}

/**
 * 411: a POST, PUT or PATCH went out without a body.
 *
 * @category errors
 * @since 0.1.0
 */
export class LengthRequired extends Data.TaggedError("LengthRequired")<Answer> {
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
  override get message() {
    if (this.retryAfter._tag === "None") return say(this, "Try again later")
    const wait = this.retryAfter.value
    return say(this, Duration.toMillis(wait) > 0 ? `Try again in ${Duration.format(wait)}` : "Try again now")
  }
}

const todoOf = (status: number): string => {
  if (status >= 500) return "The service is in trouble: try again later"
  // It says yes, and not as it was asked to: accepted, or in part.
  return status >= 200 && status < 300
    ? "No such success was expected: check what came of the request"
    : "Check the request"
}

/**
 * Every other status that is no success of the request; to a GET, unless it says otherwise, only 200 is one.
 *
 * @category errors
 * @since 0.1.0
 */
export class ServiceError extends Data.TaggedError("ServiceError")<Answer> {
  override get message() {
    return say(this, todoOf(this.status))
  }
}

/**
 * Every error that a service's answer can become.
 *
 * @category errors
 * @since 0.1.0
 */
export type AnswerError = Unauthorized | Forbidden | NotFound | LengthRequired | RateLimited | ServiceError

/**
 * The error of an answer: the one place where statuses are told apart.
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
