/** What the calls of the app management API fail with, beside what any request fails with. */
import * as PathSegment from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceError from "@vigil/core-http/ServiceError"
import * as Data from "effect/Data"
import * as ApiToken from "./ApiToken.js"
import * as AppName from "./AppName.js"

/**
 * 401: the token opens nothing. Which of the three it is, the service does not say.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthorized extends Data.TaggedError("Unauthorized")<ServiceError.Answer> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    const todo =
      "The token is missing, wrong or deleted: create another one in the portal, and delete one that leaked there at once"
    return ServiceError.say(this, todo)
  }
}

/**
 * The app does not exist, or the token has no access to it: a 404 with the code `AppNotFound`. `app` is the requested app.
 *
 * The code is an assumption: neither the document nor the field notes show one. A 404 with any other code but `UserNotFound` is a
 * `NotFound`.
 *
 * @category errors
 * @since 0.1.0
 */
export class AppNotFound extends Data.TaggedError("AppNotFound")<
  ServiceError.Answer & { readonly app: AppName.AppName }
> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    return ServiceError.say(
      this,
      `Check the app name, ${AppName.format(this.app)}, and that the token has access to the app`,
    )
  }
}

/**
 * The app has no such user: a 404 with the code `UserNotFound`. `app` is the requested app.
 *
 * The code is an assumption: neither the document nor the field notes show one. A 404 with any other code but `AppNotFound` is a
 * `NotFound`.
 *
 * @category errors
 * @since 0.1.0
 */
export class UserNotFound extends Data.TaggedError("UserNotFound")<
  ServiceError.Answer & { readonly app: AppName.AppName }
> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    return ServiceError.say(this, `Check the e-mail address, and who has access to ${AppName.format(this.app)}`)
  }
}

/**
 * A removal was answered with a 404 whose code says neither `AppNotFound` nor `UserNotFound`. `app` is the requested app.
 *
 * With `repeated: true`, an earlier attempt of the same call may have removed the user. The message says how to check: the portal
 * shows the users of the app, and so does `GET v0.1/apps/{owner}/{app}/users`, an endpoint that the document does not show.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotFound extends Data.TaggedError("NotFound")<ServiceError.Answer & { readonly app: AppName.AppName }> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    const users = PathSegment.join(["v0.1", "apps", this.app.owner, this.app.app, "users"])
    return ServiceError.say(
      this,
      this.repeated
        ? `An earlier attempt may have removed the user. To find out, list the users of the app in the portal or with GET ${users}`
        : `Check the app name, ${AppName.format(this.app)}, the e-mail address and the base URL`,
    )
  }
}

/**
 * The token has no right to the call, by its description. Nothing was sent.
 *
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
  get service(): string {
    return "app-management"
  }
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    const { action, app } = this.scope
    const what = app === undefined ? "the account" : AppName.format(app)
    return `${this.operation}: ${ApiToken.describe(this.token)} can't ${action} ${what}. Use ${ApiToken.wouldDo(this.scope)}.`
  }
}

/**
 * A body that its schema does not take, or that JSON can't carry: where, in its own terms, on one line, of 200 characters at most. Nothing
 * was sent, and no value is kept; keys of records are part of the path.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidBody extends Data.TaggedError("InvalidBody")<{
  /** The call: its `operation`. */
  readonly operation: string
  /** The place, its parts joined by dots; empty for the body as a whole. */
  readonly path: string
}> {
  /** The name of the service: `app-management`. */
  get service(): string {
    return "app-management"
  }
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    const place = this.path === "" ? "The body" : `${this.path} of the body`
    return `${this.operation}: ${place} is missing, not what its schema takes, or nothing that JSON can carry. Nothing was sent.`
  }
}

/**
 * A path that holds a segment which can't be one: it is empty, `.` or `..`, or has half a character, and the request would go elsewhere.
 * `index` says which, from 0 on, of those under `v0.1`. Nothing was sent.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidPath extends Data.TaggedError("InvalidPath")<{
  /** The call: its `operation`. */
  readonly operation: string
  readonly index: number
}> {
  /** The name of the service: `app-management`. */
  get service(): string {
    return "app-management"
  }
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }
  override get message() {
    return `${this.operation}: segment ${this.index} of the path (from 0 on) is empty, "." or "..", or has half a character, and can't be one segment. Nothing was sent.`
  }
}

/**
 * What every call can fail with.
 *
 * @category errors
 * @since 0.1.0
 */
export type CallError = Exclude<RequestError, ServiceError.Unauthorized> | Unauthorized | TokenScopeError

/**
 * What removing a user can fail with. `NotFound` is the class of this module, not that of `@vigil/core-http`.
 *
 * @category errors
 * @since 0.1.0
 */
export type RemoveUserError = Exclude<CallError, ServiceError.NotFound> | AppNotFound | NotFound | UserNotFound

/**
 * What a request of one's own can fail with.
 *
 * @category errors
 * @since 0.1.0
 */
export type CustomError = CallError | InvalidBody | InvalidPath
