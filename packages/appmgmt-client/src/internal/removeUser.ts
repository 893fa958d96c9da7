/** Removes a user from an app. */
import type * as Decoder from "@vigil/core-http/Decoder"
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import * as PathSegment from "@vigil/core-http/PathSegment"
import type { RequestReason } from "@vigil/core-http/RequestError"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import { AppNotFound, RemoveUserError, UserNotFound } from "../AppManagementError.js"
import * as AppName from "../AppName.js"
import type { Email } from "../Email.js"
import * as Removal from "../Removal.js"
import { operation } from "./removal.js"

/** Accepts an empty body, and any JSON without an error, because the API does not specify the body of this response. */
const decode: Decoder.Decoder<void> = (json) =>
  ErrorBody.inSuccess(json) === undefined && ErrorBody.fromBody(json).code === undefined
    ? Effect.void
    : Effect.fail({ path: "", problem: "contains an error" })

/** Ignores messages: a gateway, a proxy or a wrong base URL can send any text with a 404. */
const toReason = (reason: RequestReason): RemoveUserError["reason"] => {
  if (reason._tag !== "NotFound") return reason
  const response = Struct.omit(reason, ["_tag"])
  if (reason.code === "AppNotFound") return new AppNotFound(response)
  return reason.code === "UserNotFound" ? new UserNotFound(response) : reason
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
        Effect.catch(({ maybeApplied, ...error }) => {
          const reason = toReason(error.reason)
          return reason._tag === "UserNotFound" && maybeApplied
            ? Effect.succeed(Removal.alreadyRemoved)
            : new RemoveUserError({ app, reason, maybeApplied })
        }),
      )
