/** The routes file of notifications: reads it, and makes its sinks. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Credential from "@vigil/core-http/Credential"
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Alertmanager from "@vigil/notify/Alertmanager"
import * as PagerDuty from "@vigil/notify/PagerDuty"
import * as Routes from "@vigil/notify/Routes"
import * as Sinks from "@vigil/notify/Sinks"
import * as Slack from "@vigil/notify/Slack"
import * as Teams from "@vigil/notify/Teams"
import * as Webhook from "@vigil/notify/Webhook"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import * as WholeFile from "../output/WholeFile.js"

export const value = Flag.text("file")

export const flag = Flag.optional(value, "Send notifications as configured in this routes file")

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

/** Where the value of a field is from; empty if the document has it. */
const sourceOf = (value: unknown): string => {
  if (Predicate.hasProperty(value, "env")) return ` (the environment variable ${String(value.env)})`
  return Predicate.hasProperty(value, "file") ? ` (the file ${JSON.stringify(value.file)})` : ""
}

/** What to check if the target of a sink responds with 401, 403 or 404. */
const adviceFor = (routes: Routes.Routes, name: string): string => {
  const settings = Object.entries(routes.sinks[name] ?? {}).flatMap(([field, value]) =>
    field === "type" || field === "minimumLevel" ? [] : [`${field}${sourceOf(value)}`],
  )
  return `Check ${settings.join(" and ")} of the sink ${JSON.stringify(name)} in the routes file`
}

/** Names the field of the sink, and where its value is from. The value may be a secret. */
const explain = (routes: Routes.Routes, name: string, { expected, setting }: InvalidSetting): UsageError => {
  const field = setting.startsWith("secrets") ? "secret" : setting
  const [, value] = Object.entries(routes.sinks[name] ?? {}).find(([key]) => key === field) ?? []
  return new UsageError(`The sink ${JSON.stringify(name)} is invalid: ${field}${sourceOf(value)} is not ${expected}.`)
}

const makeSinks = (routes: Routes.Routes) => {
  const common = (name: string) => ({ name, advice: adviceFor(routes, name) })
  const explained = <A, R>(name: string, sink: Effect.Effect<A, InvalidSetting, R>) =>
    Effect.mapError(sink, (error) => explain(routes, name, error))
  return Sinks.make(routes, {
    slack: (name, { url }) => explained(name, Slack.make({ ...common(name), url })),
    teams: (name, { url }) => explained(name, Teams.make({ ...common(name), url })),
    pagerduty: (name, { routingKey, url }) => explained(name, PagerDuty.make({ ...common(name), routingKey, url })),
    alertmanager: (name, { token, url }) =>
      explained(
        name,
        Alertmanager.make({
          ...common(name),
          url: Redacted.value(url),
          credential: token === undefined ? Credential.none : Credential.bearer(token),
        }),
      ),
    webhook: (name, { secret, url }) => explained(name, Webhook.make({ ...common(name), url, secrets: [secret] })),
  })
}

/** Makes the sinks of the routes. Their secrets are read from the environment and from files. */
export const sinks = (routes: Routes.Routes) =>
  Effect.mapError(makeSinks(routes), ({ message }) => new UsageError(message))

/** Fails with all invalid sinks. Skips those whose secrets are not set. */
export const check = (routes: Routes.Routes) =>
  Effect.gen(function* () {
    const problems = yield* Effect.forEach(Object.entries(routes.sinks), ([name, sink]) =>
      makeSinks({ ...routes, sinks: { [name]: sink } }).pipe(
        Effect.as([]),
        Effect.catchAll((error) =>
          Effect.succeed(
            error._tag === "SecretsError" && error.secrets.every(({ reason }) => reason === "missing")
              ? []
              : [error.message],
          ),
        ),
      ),
    )
    if (problems.flat().length > 0) yield* new UsageError(problems.flat().join(" "))
  }).pipe(Effect.scoped)
