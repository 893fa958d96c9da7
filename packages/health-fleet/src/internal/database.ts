/** The database of a fleet: decoded rows, transactions, and durations and texts in statements. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as SqlSchema from "effect/sql/SqlSchema"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { FleetError } from "../FleetError.js"

/** Without the transformations of names that the application may have configured. */
export const database: Effect.Effect<SqlClient.SqlClient, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => sql.withoutTransforms(),
)

type Statement = (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Runs a statement and decodes its rows. The driver returns `bigint` for `bigint` and text for `numeric`. */
export const rows = <Row extends Schema.Constraint>(row: Row, statement: Statement) =>
  Effect.flatMap(database, (sql) =>
    SqlSchema.findAll({ Request: Schema.Void, Result: row, execute: () => statement(sql) })(undefined),
  )

/** `attempt`: what the error says could not be done. */
export const orFleetError = (attempt: string) =>
  Effect.mapError((cause: unknown) => new FleetError({ attempt, cause: Redacted.make(cause) }))

/** Logs a failure, without texts of the database, and waits before the caller tries again. */
export const orWarn =
  (attempt: string, wait: Duration.Input = "1 second") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | undefined, never, R> =>
    Effect.catchCause(effect, (cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const failure = Cause.findErrorOption(cause)
      const log = Option.isSome(failure)
        ? Effect.logWarning(new FleetError({ attempt, cause: Redacted.make(failure.value) }).message)
        : Effect.logWarning(`Could not ${attempt}.`, cause)
      return Effect.as(Effect.andThen(log, Effect.sleep(wait)), undefined)
    })

export const interval = (sql: SqlClient.SqlClient, duration: Duration.Input) =>
  sql`${Duration.toSeconds(duration)}::double precision * interval '1 second'`

/** Postgres stores no NUL characters, and its driver replaces unpaired surrogates. */
export const storable = (text: string): string => text.replace(/\0|\p{Cs}/gu, "\uFFFD")

/**
 * Runs an effect in a transaction in which each statement sees what others have committed. The transaction of a runner that hangs ends after
 * the time limit, so that its locks do not stop the others.
 */
export const withTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>, limit: Duration.Duration) =>
  Effect.flatMap(database, (sql) => {
    const setLimit = sql.unsafe(
      `SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(Duration.toMillis(limit))}`,
    )
    return Effect.provideService(
      sql.withTransaction(Effect.andThen(setLimit, effect)),
      SqlClient.BeginTransaction,
      "BEGIN ISOLATION LEVEL READ COMMITTED",
    )
  })
