/** A runner: one process of a fleet. It holds its claims for as long as it reports that it is alive. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { database, interval } from "./database.js"

/** A condition: no runner that is alive has claimed the row, or this one has claimed it and does not know of it. */
export const isFree = (sql: SqlClient.SqlClient, runner: string, known: ReadonlyArray<string>, key: string) => {
  const alive = sql`SELECT runner FROM vigil_runners WHERE alive_until > now()`
  const unknown = known.length === 0 ? sql`TRUE` : sql`NOT ${sql.in(key, known)}`
  return sql`(
    runner IS NULL OR (runner = ${runner} AND ${unknown}) OR (runner <> ${runner} AND runner NOT IN (${alive}))
  )`
}

/** Registers a runner until the scope closes, and reports that it is alive. Then releases its claims. */
export const register = Effect.fnUntraced(function* (
  {
    name,
    settings,
    sinks,
  }: { readonly name: string; readonly sinks: ReadonlyArray<string>; readonly settings: string },
  lease: Duration.Duration,
  onError: (error: unknown) => Effect.Effect<void>,
) {
  const sql = yield* database
  const id = crypto.randomUUID()
  const release = Effect.all(
    [
      // Without this row, the claims are free.
      sql`DELETE FROM vigil_runners WHERE runner = ${id}`,
      sql`UPDATE vigil_subscriptions SET runner = NULL WHERE runner = ${id}`,
      sql`UPDATE vigil_outbox SET runner = NULL WHERE runner = ${id}`,
    ],
    { discard: true },
  )
  const aliveUntil = sql`now() + ${interval(sql, lease)}`
  const insert = sql`
    INSERT INTO vigil_runners (runner, name, sinks, settings, alive_until)
    VALUES (${id}, ${name}, ${sinks}::text[], ${settings}, ${aliveUntil})`
  // After a restart of the database, the first statement of each connection fails.
  const retried = Effect.timeout(Effect.retry(release, Schedule.spaced("100 millis")), "5 seconds")
  // In a fiber of its own, because an interrupted fiber does not stop waiting at a timeout.
  const lastRelease = Effect.forkDetach(Effect.interruptible(retried))
  yield* Effect.acquireRelease(insert, () => Effect.flatMap(lastRelease, Fiber.await))
  // A report that reaches the database after the release must not insert the row again.
  const report = sql`
    UPDATE vigil_runners SET seen_at = now(), alive_until = ${aliveUntil} WHERE runner = ${id} RETURNING runner`.pipe(
    Effect.flatMap(({ length }) => (length > 0 ? Effect.void : Effect.asVoid(insert))),
  )
  const clean = sql`DELETE FROM vigil_runners WHERE alive_until < now() - interval '1 hour'`
  yield* Effect.andThen(report, clean).pipe(
    Effect.timeout(lease),
    Effect.catch(onError),
    Effect.withTracerEnabled(false),
    Effect.repeat(Schedule.spaced(Duration.times(lease, 0.25))),
    Effect.forkScoped,
  )
  return id
})
