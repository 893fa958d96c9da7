/** The errors of the app management API, besides those of any request. */
import * as PathSegment from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceError from "@vigil/core-http/ServiceError"
import * as Data from "effect/Data"
import * as ApiToken from "./ApiToken.js"
import * as AppName from "./AppName.js"

/**
 * The app does not exist, or the token has no access to it: a 404 with the code `AppNotFound`. `app` is the requested app.
 *
 * The code is an assumption: neither the document nor the field notes show one. A 404 with any other code but `UserNotFound` is an
 * `AppOrUserNotFound`.
 * @category errors
 * @since 0.1.0
 */
export class AppNotFound extends Data.TaggedError("AppNotFound")<
  ServiceError.ErrorResponse & { readonly app: AppName.AppName }
> {
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    return ServiceError.formatMessage(
      this,
      `Check the app name, ${AppName.format(this.app)}, and that the token has access to the app`,
    )
  }
}

/**
 * The app has no such user: a 404 with the code `UserNotFound`. `app` is the requested app.
 *
 * The code is an assumption: neither the document nor the field notes show one. A 404 with any other code but `AppNotFound` is an
 * `AppOrUserNotFound`.
 * @category errors
 * @since 0.1.0
 */
export class UserNotFound extends Data.TaggedError("UserNotFound")<
  ServiceError.ErrorResponse & { readonly app: AppName.AppName }
> {
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    return ServiceError.formatMessage(
      this,
      `Check the e-mail address, and who has access to ${AppName.format(this.app)}`,
    )
  }
}

/**
 * The app or the user does not exist: a 404 with any code but `AppNotFound` and `UserNotFound`. `app` is the requested app.
 *
 * With `repeated: true`, an earlier attempt of the same call may have removed the user. The message says how to check: the portal
 * shows the users of the app, and so does `GET v0.1/apps/{owner}/{app}/users`, an endpoint that the document does not show.
 * @category errors
 * @since 0.1.0
 */
export class AppOrUserNotFound extends Data.TaggedError("AppOrUserNotFound")<
  ServiceError.ErrorResponse & { readonly app: AppName.AppName }
> {
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    const users = PathSegment.join(["v0.1", "apps", this.app.owner, this.app.app, "users"])
    return ServiceError.formatMessage(
      this,
      this.repeated
        ? `An earlier attempt may have removed the user. To find out, list the users of the app in the portal or with GET ${users}`
        : `Check the app name, ${AppName.format(this.app)}, the e-mail address and the base URL`,
    )
  }
}

/**
 * The token has no right to the call, by its description. Nothing was sent.
 * @category errors
 * @since 0.1.0
 */
export class TokenScopeError extends Data.TaggedError("TokenScopeError")<{
  /** The call, by its public name, such as `AppManagement.removeUser`. */
  readonly operation: string
  /** The description of the token, without its secret. */
  readonly token: ApiToken.Description
  /** What the call would have done, and to what. */
  readonly scope: ApiToken.Scope
}> {
  /** The name of the service: `app-management`. */
  readonly service: string = "app-management"
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    const { action, app } = this.scope
    const what = app === undefined ? "the account" : AppName.format(app)
    return `${this.operation}: ${ApiToken.describe(this.token)} can't ${action} ${what}. Use ${ApiToken.wouldDo(this.scope)}.`
  }
}

/**
 * The body does not match its schema, or JSON cannot carry it. Nothing was sent. No value is kept, but keys of records are part of the path.
 * @category errors
 * @since 0.1.0
 */
export class InvalidBody extends Data.TaggedError("InvalidBody")<{
  /** The `operation` of the request. */
  readonly operation: string
  /** The invalid place, its parts joined by dots, on one line, cut to 200 characters. Empty for the body as a whole. */
  readonly path: string
  /** What is wrong there, such as `is missing`. */
  readonly reason: string
}> {
  /** The name of the service: `app-management`. */
  readonly service: string = "app-management"
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    return `${this.operation}: ${this.path === "" ? "the body" : `${this.path} of the body`} ${this.reason}. Nothing was sent.`
  }
}

/**
 * A segment of the path is empty, `.` or `..`, or contains an unpaired surrogate, so that the request would go elsewhere. Nothing was sent.
 * @category errors
 * @since 0.1.0
 */
export class InvalidPath extends Data.TaggedError("InvalidPath")<{
  /** The `operation` of the request. */
  readonly operation: string
  /** The index of the segment under `v0.1`, from 0 on. */
  readonly index: number
}> {
  /** The name of the service: `app-management`. */
  readonly service: string = "app-management"
  /** Always `false`. */
  readonly retryable: boolean = false
  override get message() {
    return `${this.operation}: segment ${this.index} of the path (from 0 on) is empty, "." or "..", or contains an unpaired surrogate. Nothing was sent.`
  }
}

/**
 * What every call can fail with.
 * @category errors
 * @since 0.1.0
 */
export type CallError = RequestError | TokenScopeError

/**
 * What removing a user can fail with.
 * @category errors
 * @since 0.1.0
 */
export type RemoveUserError = Exclude<CallError, ServiceError.NotFound> | AppNotFound | AppOrUserNotFound | UserNotFound

/**
 * What `AppManagement.request` can fail with.
 * @category errors
 * @since 0.1.0
 */
export type CustomError = CallError | InvalidBody | InvalidPath
