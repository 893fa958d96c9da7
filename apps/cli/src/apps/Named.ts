/** The app and the user that a command is about, as its arguments name them. */
import * as Args from "@effect/cli/Args"
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Email from "@vigil/appmgmt-client/Email"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { UsageError } from "../Failure.js"

/** The argument for an app. */
export const app = Args.text({ name: "owner/app" }).pipe(
  Args.withDescription("The app: owner/app, or its address in the portal."),
)

/** The argument for a user. */
export const email = Args.text({ name: "email" }).pipe(Args.withDescription("The e-mail address of the user."))

/** The app of the argument. */
export const appOf = (text: string): Effect.Effect<AppName.AppName, UsageError> =>
  Effect.mapError(
    AppName.parse(text),
    () =>
      new UsageError({
        message: `${JSON.stringify(text)} names no app: give owner/app, or the address of its page in the portal.`,
      }),
  )

/** The user of the argument. */
export const emailOf = (text: string): Effect.Effect<Email.Email, UsageError> =>
  Effect.mapError(
    Schema.decode(Email.Email)(text),
    () =>
      new UsageError({
        message: `${JSON.stringify(text)} is no e-mail address: give one such as ada@service.example.`,
      }),
  )
