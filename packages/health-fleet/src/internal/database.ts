/** The database of a fleet, and durations and texts in its statements. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { FleetError } from "../FleetError.js"

/** Without the transformations of names that the application may have configured. */
export const database: Effect.Effect<SqlClient.SqlClient, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => sql.withoutTransforms(),
)

/** Runs statements. `attempt`: what the error says could not be done. */
export const command = <A>(
  attempt: string,
  run: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError, SqlClient.SqlClient>,
): Effect.Effect<A, FleetError, SqlClient.SqlClient> =>
  Effect.mapError(Effect.flatMap(database, run), (cause) => new FleetError({ attempt, cause }))

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
    const milliseconds = Math.ceil(Duration.toMillis(limit))
    const settings = Effect.andThen(
      sql`SET TRANSACTION ISOLATION LEVEL READ COMMITTED`,
      sql.unsafe(`SET LOCAL idle_in_transaction_session_timeout = ${milliseconds}`),
    )
    return sql.withTransaction(Effect.andThen(settings, effect))
  })
