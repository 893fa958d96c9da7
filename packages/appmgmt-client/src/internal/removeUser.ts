/** Removes a user from an app, and tells a user who is gone from one who never was. */
import * as Decoder from "@vigil/core-http/Decoder"
import * as PathSegment from "@vigil/core-http/PathSegment"
import type { NotFound } from "@vigil/core-http/ServiceError"
import * as Effect from "effect/Effect"
import { AppNotFound, type RemoveUserError, UserNotFound } from "../AppManagementError.js"
import type { AppName } from "../AppName.js"
import type { Email } from "../Email.js"
import * as Removal from "../Removal.js"
import * as call from "./call.js"

const operation = "AppManagement.removeUser"

const ofUser = /user|member|collaborator|e-?mail/i
const ofApp = /\bapp(s|lication)?\b|app_?name|appnotfound/i

/**
 * What was not found, by the service's own words, as the document shows none: its code, and where that names neither, its message. One
 * that names both is about the user: of an app.
 */
const missing = ({ code = "", detail = "" }: NotFound): "user" | "app" | undefined => {
  for (const words of [code, detail]) {
    if (ofUser.test(words)) return "user"
    if (ofApp.test(words)) return "app"
  }
  return undefined
}

const found = (error: NotFound, app: AppName): Effect.Effect<Removal.Removal, RemoveUserError> => {
  const what = missing(error)
  if (what === "app") return new AppNotFound({ ...error, app })
  // Sent again, and gone: it was this call that removed the user.
  if (error.repeated) return Effect.succeed(Removal.removedEarlier)
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
          // Sent again only where the answer was lost, as a user who is removed twice is removed: what a 404 then means is told below.
          repeatable: true,
          decode: Decoder.nothing,
        },
      )
      .pipe(
        Effect.as(Removal.removed),
        Effect.catchTag("NotFound", (error) => found(error, app)),
      )
