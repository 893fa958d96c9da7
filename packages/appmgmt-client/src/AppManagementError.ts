/** The error of removing a user, and the reasons that only it has. */
import * as RequestError from "@vigil/core-http/RequestError"
import * as StatusReason from "@vigil/core-http/StatusReason"
import type * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as AppName from "./AppName.js"
import { howToCheck, operation, service } from "./internal/removal.js"

const fields = Struct.omit(StatusReason.NotFound.fields, ["_tag"])

/**
 * The app does not exist, or the token has no access to it: a 404 with the code `AppNotFound` (an assumption).
 * @category reasons @since 0.1.0
 */
export class AppNotFound extends Schema.TaggedError<AppNotFound>()("AppNotFound", fields) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return StatusReason.formatMessage(this, "Check the app name and the access of the token")
  }
}

/** The app has no such user: a 404 with the code `UserNotFound` (an assumption). @category reasons @since 0.1.0 */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", fields) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return StatusReason.formatMessage(this, "Check the email address")
  }
}

/**
 * A user could not be removed. The reason `NotFound` is a 404 with another code than those of `AppNotFound` and `UserNotFound`, or none.
 * @category errors @since 0.1.0
 */
export class RemoveUserError extends Schema.TaggedError<RemoveUserError>()("RemoveUserError", {
  app: AppName.AppName,
  reason: Schema.Union([...RequestError.RequestReason.members, AppNotFound, UserNotFound]),
  /** Whether an attempt may have removed the user. */
  maybeApplied: Schema.Boolean,
}) {
  readonly service: string = service
  readonly operation: string = operation
  /** Whether a later call may succeed. */
  get isRetryable(): boolean {
    return this.reason.isRetryable
  }
  /** The wait that the service requested (`Retry-After`). */
  get retryAfter(): Duration.Duration | undefined {
    return "retryAfter" in this.reason ? this.reason.retryAfter : undefined
  }
  override get message(): string {
    const { app, maybeApplied, reason } = this
    const text =
      reason._tag === "NotFound"
        ? StatusReason.formatMessage(reason, "Check the app name, the email address and the base URL")
        : reason.message
    const note = maybeApplied ? ` The user may have been removed. ${howToCheck(app)}.` : ""
    return `${operation}: the ${service} service ${text}${note}`
  }
}
