/** The routes file of notifications: reads it, and makes its sinks. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Credential from "@vigil/core-http/Credential"
import * as Alertmanager from "@vigil/notify/Alertmanager"
import * as PagerDuty from "@vigil/notify/PagerDuty"
import * as Routes from "@vigil/notify/Routes"
import * as Sinks from "@vigil/notify/Sinks"
import * as Slack from "@vigil/notify/Slack"
import * as Teams from "@vigil/notify/Teams"
import * as Webhook from "@vigil/notify/Webhook"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import * as WholeFile from "../output/WholeFile.js"

export const value = Flag.text("file")

/** Fails with a `UsageError` that lists all mistakes with their lines. */
export const read = (file: string): Effect.Effect<Routes.Routes, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(
      files.readFileString(file),
      (error) =>
        new UsageError(
          `The routes file ${JSON.stringify(file)} can't be read (${WholeFile.reason(error)}). Check the path.`,
        ),
    )
    return yield* Effect.mapError(
      Routes.parse(text),
      ({ mistakes }) =>
        new UsageError(
          `The routes file ${JSON.stringify(file)} has mistakes: ${mistakes
            .map(({ column, line, path, reason }) => `line ${line}:${column} ${path || "the document"} ${reason}`)
            .join("; ")}.`,
        ),
    )
  })

/** Makes the sinks of the routes. Their secrets are read from the environment and from files. */
export const sinks = (routes: Routes.Routes) =>
  Sinks.make(routes, {
    slack: (name, { url }) => Slack.make({ name, url }),
    teams: (name, { url }) => Teams.make({ name, url }),
    pagerduty: (name, { routingKey, url }) => PagerDuty.make({ name, routingKey, url }),
    alertmanager: (name, { token, url }) =>
      Alertmanager.make({
        name,
        url: Redacted.value(url),
        credential: token === undefined ? Credential.none : Credential.bearer(token),
      }),
    webhook: (name, { secret, url }) => Webhook.make({ name, url, secrets: [secret] }),
  }).pipe(Effect.mapError((error) => new UsageError(error.message)))
