/** The errors of the app management API, in addition to those of any request. */
import * as PathSegment from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceError from "@vigil/core-http/ServiceError"
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as AppName from "./AppName.js"

type Response = ServiceError.ErrorResponse & { readonly app: AppName.AppName }

type ErrorClass<Tag extends string> = new (
  response: Response,
) => Cause.YieldableError & Response & { readonly _tag: Tag; readonly retryable: boolean }

const define = <Tag extends string>(tag: Tag, advice: (response: Response) => string): ErrorClass<Tag> =>
  class extends Data.TaggedError(tag)<Response> {
    readonly retryable: boolean = false
    override get message() {
      return ServiceError.formatMessage(this, advice(this))
    }
  }

/**
 * The app does not exist, or the token has no access to it: a 404 with the code `AppNotFound` (an assumption).
 * @category errors @since 0.1.0
 */
export class AppNotFound extends define(
  "AppNotFound",
  ({ app }) => `Check the app name, ${AppName.format(app)}, and that the token has access to the app`,
) {}

/** The app has no such user: a 404 with the code `UserNotFound` (an assumption). @category errors @since 0.1.0 */
export class UserNotFound extends define(
  "UserNotFound",
  ({ app }) => `Check the email address and the users of ${AppName.format(app)}`,
) {}

/**
 * The app or the user does not exist: a 404 with another code, or none. With `maybeApplied`, an earlier attempt may have removed the user.
 * @category errors @since 0.1.0
 */
export class AppOrUserNotFound extends define("AppOrUserNotFound", ({ app, maybeApplied }) => {
  const users = PathSegment.join(["v0.1", "apps", app.owner, app.app, "users"])
  return maybeApplied
    ? `An earlier attempt may have removed the user. To find out, list the users of the app in the portal or with GET ${users}`
    : `Check the app name, ${AppName.format(app)}, the email address and the base URL`
}) {}

/** The errors of removing a user. @category errors @since 0.1.0 */
export type RemoveUserError =
  | Exclude<RequestError, ServiceError.NotFound>
  | AppNotFound
  | AppOrUserNotFound
  | UserNotFound
