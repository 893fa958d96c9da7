/** A runner: one process of a fleet. It holds its claims for as long as it reports that it is alive. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { atMost } from "./atMost.js"
import { database, interval, orWarn, rows } from "./database.js"

/** A condition: no runner that is alive has claimed the row, or this one has claimed it and does not know of it. */
export const isFree = (sql: SqlClient.SqlClient, runner: string, known: ReadonlyArray<string>, key: string) => {
  const alive = sql`SELECT runner FROM vigil_runners WHERE alive_until > now()`
  const unknown = known.length === 0 ? sql`TRUE` : sql`NOT ${sql.in(key, known)}`
  return sql`(
    runner IS NULL OR (runner = ${runner} AND ${unknown}) OR (runner <> ${runner} AND runner NOT IN (${alive}))
  )`
}

interface Options {
  readonly name: string
  readonly sinks: ReadonlyArray<string>
  /** As JSON. */
  readonly settings: string
  readonly lease: Duration.Duration
}

/** Registers a runner until the scope closes, and reports that it is alive. Then releases its claims. `count`: how many runners are alive. */
export const register = Effect.fnUntraced(function* ({ lease, name, settings, sinks }: Options) {
  const sql = yield* database
  const runner = { id: crypto.randomUUID(), count: 1 }
  const { id } = runner
  const aliveUntil = sql`now() + ${interval(sql, lease)}`
  const insert = sql`
    INSERT INTO vigil_runners (runner, name, sinks, settings, alive_until)
    VALUES (${id}, ${name}, ${sinks}::text[], ${settings}, ${aliveUntil})`
  const release = Effect.all(
    [
      // Without this row, the claims are free.
      sql`DELETE FROM vigil_runners WHERE runner = ${id}`,
      sql`UPDATE vigil_subscriptions SET runner = NULL WHERE runner = ${id}`,
      sql`UPDATE vigil_outbox SET runner = NULL WHERE runner = ${id}`,
    ],
    { discard: true },
  )
  // After a restart of the database, the first statement of each connection fails.
  const lastRelease = atMost("5 seconds", Effect.retry(release, Schedule.spaced("100 millis")))
  yield* Effect.acquireRelease(insert, () => lastRelease)
  const report = Effect.gen(function* () {
    // A report that reaches the database after the release must not insert the row again.
    const known = yield* sql`
      UPDATE vigil_runners SET seen_at = now(), alive_until = ${aliveUntil} WHERE runner = ${id} RETURNING runner`
    if (known.length === 0) yield* insert
    const [row] = yield* rows(
      Schema.Struct({ count: Schema.Number }),
      (sql) => sql`
        WITH old AS (DELETE FROM vigil_runners WHERE alive_until < now() - interval '1 hour')
        SELECT count(*)::integer AS count FROM vigil_runners WHERE alive_until > now()`,
    )
    runner.count = Math.max(1, row?.count ?? 1)
  })
  yield* report.pipe(
    Effect.timeout(lease),
    orWarn("report that the runner is alive"),
    Effect.withTracerEnabled(false),
    Effect.repeat(Schedule.spaced(Duration.times(lease, 0.25))),
    Effect.forkScoped,
  )
  return runner
})
