/** The routes file of notifications: reads it, and makes its sinks. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Routes from "@vigil/notify/Routes"
import * as Sinks from "@vigil/notify/Sinks"
import * as Effect from "effect/Effect"
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

/** Makes the sinks of the routes. Their secrets are read from the environment and from files. */
export const sinks = (routes: Routes.Routes) =>
  Effect.mapError(Sinks.make(routes), ({ message }) => new UsageError(message))

/** Fails with all invalid sinks. Skips those whose secrets are not set. */
export const check = (routes: Routes.Routes) =>
  Effect.gen(function* () {
    const problems = yield* Effect.forEach(Object.entries(routes.sinks), ([name, sink]) =>
      Sinks.make({ ...routes, sinks: { [name]: sink } }).pipe(
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
