/** The notifications that sinks refused for good. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { FleetError } from "./FleetError.js"
import { database } from "./internal/database.js"

/** @category models @since 0.1.0 */
export interface DeadLetter {
  readonly id: string
  readonly sink: string
  /** A `Notification` of `@vigil/notify`, as JSON. */
  readonly notification: string
  /** Why the sink refused it. */
  readonly error: string
  readonly at: Date
}

const command = <A>(attempt: string, run: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError>) =>
  Effect.mapError(Effect.flatMap(database, run), (cause) => new FleetError({ attempt, cause }))

/** Lists the dead letters, the oldest first. @category commands @since 0.1.0 */
export const list: Effect.Effect<ReadonlyArray<DeadLetter>, FleetError, SqlClient.SqlClient> = command(
  "list the dead letters",
  (sql) => sql<DeadLetter>`SELECT seq AS id, sink, notification, error, at FROM vigil_dead_letters ORDER BY seq`,
)

/**
 * Sends dead letters again, after everything that waits now. Returns how many there were.
 * @category commands @since 0.1.0
 */
export const resend = (ids: ReadonlyArray<string>): Effect.Effect<number, FleetError, SqlClient.SqlClient> =>
  command("send dead letters again", (sql) =>
    Effect.map(
      sql`
        WITH dead AS (DELETE FROM vigil_dead_letters WHERE seq::text = ANY(${ids}::text[]) RETURNING *)
        INSERT INTO vigil_outbox (sink, event_key, state, is_on_hold, notification, due_at)
        SELECT sink, event_key, state, false, notification, now() FROM dead ORDER BY seq RETURNING seq`,
      ({ length }) => length,
    ),
  )

/** Removes dead letters. Returns how many there were. @category commands @since 0.1.0 */
export const remove = (ids: ReadonlyArray<string>): Effect.Effect<number, FleetError, SqlClient.SqlClient> =>
  command("remove dead letters", (sql) =>
    Effect.map(
      sql`DELETE FROM vigil_dead_letters WHERE seq::text = ANY(${ids}::text[]) RETURNING seq`,
      ({ length }) => length,
    ),
  )
