/** The notifications that sinks refused for good. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { FleetError } from "./FleetError.js"
import { arrayText, command, withTransaction } from "./internal/database.js"

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

/** Lists the dead letters, the oldest first. @category commands @since 0.1.0 */
export const list: Effect.Effect<ReadonlyArray<DeadLetter>, FleetError, SqlClient.SqlClient> = command(
  "list the dead letters",
  (sql) => sql<DeadLetter>`SELECT seq AS id, sink, notification, error, at FROM vigil_dead_letters ORDER BY seq`,
)

/**
 * Sends dead letters again, after everything that waits now. Skips a letter if its event has a later notification for the sink, even a dead
 * one: the sink would show an old state. Returns the IDs of the letters that will be sent.
 * @category commands @since 0.1.0
 */
export const resend = (
  ids: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, FleetError, SqlClient.SqlClient> =>
  command("send dead letters again", (sql) => {
    const hasId = sql`seq::text = ANY(${arrayText(ids)}::text[])`
    // No poll stores a later notification in the meantime. Polls lock in this order, too.
    const lock = sql`
      SELECT FROM vigil_events WHERE event_key IN (SELECT event_key FROM vigil_dead_letters WHERE ${hasId})
      ORDER BY event_key COLLATE "C" FOR UPDATE`
    const send = sql<{ id: string }>`
      WITH letters AS (
        DELETE FROM vigil_dead_letters AS letter WHERE ${hasId} AND NOT EXISTS (
          SELECT FROM vigil_events AS event
          WHERE event.event_key = letter.event_key AND (event.sinks->letter.sink->>'count')::integer > letter.position
        ) RETURNING *
      ), stored AS (
        INSERT INTO vigil_outbox (sink, event_key, position, is_on_hold, notification, due_at)
        SELECT sink, event_key, position, false, notification, now() FROM letters ORDER BY seq
      )
      SELECT seq AS id FROM letters ORDER BY seq`
    const resentIds = Effect.map(send, (rows) => rows.map(({ id }) => id))
    return withTransaction(Effect.andThen(lock, resentIds), Duration.seconds(10))
  })

/** Removes dead letters. Returns how many there were. @category commands @since 0.1.0 */
export const remove = (ids: ReadonlyArray<string>): Effect.Effect<number, FleetError, SqlClient.SqlClient> =>
  command("remove dead letters", (sql) =>
    Effect.map(
      sql`DELETE FROM vigil_dead_letters WHERE seq::text = ANY(${arrayText(ids)}::text[]) RETURNING seq`,
      ({ length }) => length,
    ),
  )
