/** Durations in statements. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"

export const later = (sql: SqlClient.SqlClient, duration: Duration.DurationInput) =>
  sql`${Duration.toSeconds(duration)}::double precision * interval '1 second'`

export const since = (sql: SqlClient.SqlClient, duration: Duration.DurationInput) =>
  sql`now() - ${later(sql, duration)}`
