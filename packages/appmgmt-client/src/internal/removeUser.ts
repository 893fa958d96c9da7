/** Removes a user from an app, and tells a user who is gone from one who never was. */
import type * as Decoder from "@vigil/core-http/Decoder"
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import * as PathSegment from "@vigil/core-http/PathSegment"
import type { NotFound } from "@vigil/core-http/ServiceError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { AppNotFound, type RemoveUserError, UserNotFound } from "../AppManagementError.js"
import type { AppName } from "../AppName.js"
import type { Email } from "../Email.js"
import * as Removal from "../Removal.js"
import * as call from "./call.js"
import * as missing from "./missing.js"

const operation = "AppManagement.removeUser"

const errorOf = Schema.decodeUnknownSync(ErrorBody.FromBody)

/** Any answer but one that holds the code of an error, whatever its status. What a removal is answered with, the document does not show. */
const decode: Decoder.Decoder<void> = (json) =>
  errorOf(json).code === undefined ? Either.void : Either.left({ path: "", reason: "holds an error" })

const found = (error: NotFound, app: AppName, email: Email): Effect.Effect<Removal.Removal, RemoveUserError> => {
  const { isPlain, what } = missing.read(error, app, email)
  if (what === "app") return new AppNotFound({ ...error, app })
  // Sent again, and gone: an earlier attempt may have done it. What leaves open whether the user is gone is not taken for it.
  if (error.repeated) return isPlain ? Effect.succeed(Removal.removedEarlier) : error
  return what === "user" ? new UserNotFound({ ...error, app }) : error
}

/** Removes the user. */
export const removeUser =
  (caller: call.Caller) =>
  (app: AppName, email: Email): Effect.Effect<Removal.Removal, RemoveUserError> =>
    call
      .send(
        caller,
        { action: "change", app },
        {
          operation,
          method: "DELETE",
          url: caller.service.url(PathSegment.join(["v0.1", "apps", app.owner, app.app, "users", email])),
          success: [200, 204],
          // Sent again only where the answer was lost, as a user who is removed twice is removed: what a 404 then means is told above.
          repeatable: true,
          decode,
        },
      )
      .pipe(
        Effect.as(Removal.removed),
        Effect.catchTag("NotFound", (error) => found(error, app, email)),
      )
