/** The errors of the app management API, in addition to those of any request. */
import type { RequestError } from "@vigil/core-http/RequestError"
import * as StatusReason from "@vigil/core-http/StatusReason"
import * as Schema from "effect/Schema"
import * as AppName from "./AppName.js"
import { howToCheck, operation, service } from "./internal/removal.js"

const fields = { app: AppName.AppName, reason: StatusReason.NotFound }

const format = (reason: StatusReason.NotFound, advice: string): string =>
  `${operation}: the ${service} service ${StatusReason.formatMessage(reason, advice)}`

/**
 * The app does not exist, or the token has no access to it: a 404 with the code `AppNotFound` (an assumption).
 * @category errors @since 0.1.0
 */
export class AppNotFound extends Schema.TaggedError<AppNotFound>()("AppNotFound", fields) {
  readonly service: string = service
  readonly operation: string = operation
  readonly isRetryable: boolean = false
  override get message(): string {
    const name = AppName.format(this.app)
    return format(this.reason, `Check the app name, ${name}, and that the token has access to the app`)
  }
}

/** The app has no such user: a 404 with the code `UserNotFound` (an assumption). @category errors @since 0.1.0 */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", fields) {
  readonly service: string = service
  readonly operation: string = operation
  readonly isRetryable: boolean = false
  override get message(): string {
    return format(this.reason, `Check the email address and the users of ${AppName.format(this.app)}`)
  }
}

/** The app or the user does not exist: a 404 with another code, or none. @category errors @since 0.1.0 */
export class AppOrUserNotFound extends Schema.TaggedError<AppOrUserNotFound>()("AppOrUserNotFound", {
  ...fields,
  /** Whether an earlier attempt may have removed the user. */
  maybeApplied: Schema.Boolean,
}) {
  readonly service: string = service
  readonly operation: string = operation
  readonly isRetryable: boolean = false
  override get message(): string {
    return format(
      this.reason,
      this.maybeApplied
        ? `An earlier attempt may have removed the user. ${howToCheck(this.app)}`
        : `Check the app name, ${AppName.format(this.app)}, the email address and the base URL`,
    )
  }
}

/** The errors of removing a user. @category errors @since 0.1.0 */
export type RemoveUserError = RequestError | AppNotFound | AppOrUserNotFound | UserNotFound
