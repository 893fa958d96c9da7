/** The database of a fleet, and durations in its statements. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Without the transformations of names that the application may have configured. */
export const database: Effect.Effect<SqlClient.SqlClient, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => sql.withoutTransforms(),
)

export const interval = (sql: SqlClient.SqlClient, duration: Duration.DurationInput) =>
  sql`${Duration.toSeconds(duration)}::double precision * interval '1 second'`

/**
 * Runs an effect in a transaction in which each statement sees what others have committed. The transaction of a runner that hangs ends after
 * the time limit, so that its locks do not stop the others.
 */
export const withTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>, limit: Duration.Duration) =>
  Effect.flatMap(database, (sql) => {
    const milliseconds = Math.ceil(Duration.toMillis(limit))
    const settings = sql.unsafe(
      `SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${milliseconds}`,
    )
    return sql.withTransaction(Effect.zipRight(settings, effect))
  })
