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

const ofUser = /user|member|collaborator|\be ?mail/i
const ofApp = /\b(app(lication)?|owner|org(anization)?)s?\b/i

/** The words in what the service says, those of codes apart: `AppNotFound`, `app_not_found`. */
const wordsOf = (text: string): string => text.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]/g, " ")

/** What the call itself names, which a service may repeat: a word in there tells nothing. */
const without = (text: string, names: ReadonlyArray<string>): string =>
  names.reduce((rest, name) => {
    const literal = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    return rest.replace(new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "gu"), "…")
  }, text)

/**
 * What was not found, by the service's own words, as the document shows none: its code, and where that names neither, its message. One
 * that names both is about the user: of an app. An app is not found where its owner is not.
 */
const missing = ({ code = "", detail = "" }: NotFound, names: ReadonlyArray<string>): "user" | "app" | undefined => {
  for (const text of [code, without(detail, names)]) {
    const words = wordsOf(text)
    if (ofUser.test(words)) return "user"
    if (ofApp.test(words)) return "app"
  }
  return undefined
}

const found = (error: NotFound, app: AppName, email: Email): Effect.Effect<Removal.Removal, RemoveUserError> => {
  const what = missing(error, [email, app.app, app.owner])
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
        Effect.catchTag("NotFound", (error) => found(error, app, email)),
      )
