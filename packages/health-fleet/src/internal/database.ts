/** The database of a fleet: decoded rows, transactions, and durations and texts in statements. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as SqlSchema from "effect/sql/SqlSchema"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { FleetError } from "../FleetError.js"
import { atMost } from "./workers.js"

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

/** As `rows`, for a statement that returns one row, such as an aggregate. */
export const one = <Row extends Schema.Constraint>(row: Row, statement: Statement) =>
  Effect.flatMap(rows(row, statement), ([first]) =>
    first === undefined ? Effect.die("no row") : Effect.succeed(first),
  )

const Text = Schema.Struct({ text: Schema.String })

/** As `rows`, for a statement that returns one column, `text`. */
export const texts = (statement: Statement) => Effect.map(rows(Text, statement), (all) => all.map(({ text }) => text))

/** `attempt`: what the error says could not be done. */
export const orFleetError = (attempt: string) =>
  Effect.mapError((cause: unknown) => new FleetError({ attempt, cause: Redacted.make(cause) }))

export const interval = (sql: SqlClient.SqlClient, duration: Duration.Input) =>
  sql`${Duration.toSeconds(duration)}::double precision * interval '1 second'`

/** Records as rows of a statement. `columns`: their names and types. */
export const entries = (sql: SqlClient.SqlClient, records: ReadonlyArray<object>, columns: string) => sql`
  unnest(${records.map((record) => JSON.stringify(record))}::text[]) AS record,
  json_to_record(record::json) AS entry (${sql.literal(columns)})`

/** Postgres stores no NUL characters, and its driver replaces unpaired surrogates. */
export const storable = (text: string): string => text.replace(/\0|\p{Cs}/gu, "\uFFFD")

/**
 * Runs an effect in a transaction in which each statement sees what others have committed. That of a runner that hangs ends at the limit.
 * `sql.withTransaction` cannot be interrupted during BEGIN, COMMIT and ROLLBACK, to which a connection that went dark never responds. Of an interrupted
 * statement, the driver closes the connection if it does not end; of an open ROLLBACK, the end of the scope does.
 */
export const withTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>, limit: Duration.Input) =>
  Effect.flatMap(database, (sql) => {
    const statements = Effect.gen(function* () {
      yield* sql`BEGIN ISOLATION LEVEL READ COMMITTED`
      yield* sql.unsafe(`SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(Duration.toMillis(limit))}`)
      const value = yield* effect
      yield* sql`COMMIT`
      return value
    })
    const rollback = Effect.flatMap(Effect.forkDetach(sql`ROLLBACK`), (fiber) => atMost("1 second", Fiber.await(fiber)))
    const transaction = Effect.onError(statements, () => rollback)
    return Effect.scoped(
      Effect.flatMap(sql.reserve, (connection) =>
        Effect.provideService(transaction, sql.transactionService, [connection, 0]),
      ),
    )
  })
