/** Removes a user from an app. */
import type * as Decoder from "@vigil/core-http/Decoder"
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import * as PathSegment from "@vigil/core-http/PathSegment"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as ServiceError from "@vigil/core-http/ServiceError"
import * as Effect from "effect/Effect"
import { AppNotFound, AppOrUserNotFound, type RemoveUserError, UserNotFound } from "../AppManagementError.js"
import type { AppName } from "../AppName.js"
import type { Email } from "../Email.js"
import * as Removal from "../Removal.js"

const operation = "AppManagement.removeUser"

/** Accepts an empty body, and any JSON without an error code, because the API document does not show the body of this response. */
const decode: Decoder.Decoder<void> = (json) =>
  ErrorBody.fromJson(json).code === undefined ? Effect.void : Effect.fail({ path: "", reason: "contains an error" })

/** Ignores messages: a gateway, a proxy or a wrong base URL can send any text with a 404. */
const fromNotFound = (error: ServiceError.NotFound, app: AppName): Effect.Effect<Removal.Removal, RemoveUserError> => {
  switch (error.code) {
    case "AppNotFound":
      return new AppNotFound({ ...error, app })
    case "UserNotFound":
      return error.maybeApplied ? Effect.succeed(Removal.removedEarlier) : new UserNotFound({ ...error, app })
    default:
      return new AppOrUserNotFound({ ...error, app })
  }
}

export const removeUser =
  (service: ServiceClient.Service) =>
  (app: AppName, email: Email): Effect.Effect<Removal.Removal, RemoveUserError> =>
    service
      .request({
        operation,
        method: "DELETE",
        url: service.url(PathSegment.join(["v0.1", "apps", app.owner, app.app, "users", email])),
        success: [200, 204],
        idempotent: true,
        decode,
      })
      .pipe(
        Effect.as(Removal.removed),
        Effect.catchTag("NotFound", (error) => fromNotFound(error, app)),
      )
