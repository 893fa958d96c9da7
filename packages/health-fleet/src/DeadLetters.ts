/** The notifications that sinks refused for good. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Decide from "@vigil/notify/Decide"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { FleetError } from "./FleetError.js"
import { database, orFleetError, rows, withTransaction } from "./internal/database.js"
import { parse, setShown } from "./internal/outbox.js"

const Row = Schema.Struct({
  id: Schema.String,
  sink: Schema.String,
  /** A `Notification` of `@vigil/notify`, as JSON. */
  notification: Schema.String,
  /** Why the sink refused it. */
  error: Schema.String,
  at: Schema.Date,
})

/** @category models @since 0.1.0 */
export interface DeadLetter extends Schema.Schema.Type<typeof Row> {}

/** Lists the dead letters, the oldest first. @category commands @since 0.1.0 */
export const list: Effect.Effect<ReadonlyArray<DeadLetter>, FleetError, SqlClient.SqlClient> = rows(
  Row,
  (sql) => sql`SELECT seq::text AS id, sink, notification, error, at FROM vigil_dead_letters ORDER BY seq`,
).pipe(orFleetError("list the dead letters"))

const hasId = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) => sql`seq::text = ANY(${ids}::text[])`

const Sent = Schema.Struct({ ...Struct.pick(Row.fields, ["id", "sink", "notification"]), event_key: Schema.String })

/**
 * Sends dead letters again, after everything that waits now, and returns their IDs. Skips a letter if its event has a later notification for the
 * sink, even a dead one: the sink would show an old state.
 * @category commands @since 0.1.0
 */
export const resend = (
  ids: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, FleetError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* database
    // No poll stores a later notification in the meantime. Polls lock in this order, too.
    yield* sql`
      SELECT FROM vigil_events WHERE event_key IN (SELECT event_key FROM vigil_dead_letters WHERE ${hasId(sql, ids)})
      ORDER BY event_key COLLATE "C" FOR UPDATE`
    const sent = yield* rows(
      Sent,
      (sql) => sql`WITH letters AS (
        DELETE FROM vigil_dead_letters AS letter WHERE ${hasId(sql, ids)} AND NOT EXISTS (
          SELECT FROM vigil_events AS event
          WHERE event.event_key = letter.event_key AND (event.sinks->letter.sink->>'count')::integer > letter.position
        ) RETURNING *
      ), stored AS (
        INSERT INTO vigil_outbox (sink, event_key, position, notification, shown, due_at)
        SELECT sink, event_key, position, notification, coalesce(sinks->sink->>'shown', 'unsure'), now()
        FROM letters LEFT JOIN vigil_events USING (event_key) ORDER BY seq
      )
      SELECT seq::text AS id, sink, event_key, notification FROM letters ORDER BY seq`,
    )
    for (const { event_key, notification, sink } of sent) {
      const letter = parse(notification)
      if (letter !== undefined) yield* setShown(sink, event_key, Decide.received(letter))
    }
    return sent.map(({ id }) => id)
  }).pipe((sending) => withTransaction(sending, Duration.seconds(10)), orFleetError("send dead letters again"))

/** Removes dead letters. Returns how many there were. @category commands @since 0.1.0 */
export const remove = (ids: ReadonlyArray<string>): Effect.Effect<number, FleetError, SqlClient.SqlClient> =>
  Effect.flatMap(database, (sql) => sql`DELETE FROM vigil_dead_letters WHERE ${hasId(sql, ids)} RETURNING seq`).pipe(
    Effect.map(({ length }) => length),
    orFleetError("remove dead letters"),
  )
