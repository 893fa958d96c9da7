/** Removes a user from an app. */
import type * as Decoder from "@vigil/core-http/Decoder"
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import * as PathSegment from "@vigil/core-http/PathSegment"
import { RequestError } from "@vigil/core-http/RequestError"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as StatusReason from "@vigil/core-http/StatusReason"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import { AppNotFound, AppOrUserNotFound, type RemoveUserError, UserNotFound } from "../AppManagementError.js"
import * as AppName from "../AppName.js"
import type { Email } from "../Email.js"
import * as Removal from "../Removal.js"
import { howToCheck, operation } from "./removal.js"

/** Accepts an empty body, and any JSON without an error, because the API does not specify the body of this response. */
const decode: Decoder.Decoder<void> = (json) =>
  ErrorBody.inSuccess(json) === undefined && ErrorBody.fromBody(json).code === undefined
    ? Effect.void
    : Effect.fail({ path: "", problem: "contains an error" })

/** A failed request, after which the user may have been removed. */
class UncertainRemoval extends RequestError.extend<UncertainRemoval>("UncertainRemoval")({ app: AppName.AppName }) {
  override get message(): string {
    return `${super.message} The user may have been removed. ${howToCheck(this.app)}.`
  }
}

/** Ignores messages: a gateway, a proxy or a wrong base URL can send any text with a 404. */
const fromNotFound = (
  app: AppName.AppName,
  reason: StatusReason.NotFound,
  maybeApplied: boolean,
): Effect.Effect<Removal.Removal, RemoveUserError> => {
  switch (reason.code) {
    case "AppNotFound":
      return new AppNotFound({ app, reason })
    case "UserNotFound":
      return maybeApplied ? Effect.succeed(Removal.alreadyRemoved) : new UserNotFound({ app, reason })
    default:
      return new AppOrUserNotFound({ app, reason, maybeApplied })
  }
}

export const removeUser =
  (service: ServiceClient.Service) =>
  (app: AppName.AppName, email: Email): Effect.Effect<Removal.Removal, RemoveUserError> =>
    service
      .send(HttpClientRequest.delete(PathSegment.join(["v0.1", "apps", app.owner, app.app, "users", email])), {
        operation,
        attributes: { app: AppName.format(app) },
        // No span, log or error contains the address.
        secrets: [Redacted.make(email)],
        accepts: (status) => status === 200 || status === 204,
        idempotent: true,
        decode,
      })
      .pipe(
        Effect.as(Removal.removed),
        Effect.mapError((error) => (error.maybeApplied ? new UncertainRemoval({ ...error, app }) : error)),
        Effect.catchReason("RequestError", "NotFound", (reason, { maybeApplied }) =>
          fromNotFound(app, reason, maybeApplied),
        ),
      )
