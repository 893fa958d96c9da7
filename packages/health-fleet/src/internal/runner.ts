/** A runner: one process of a fleet. It holds its claims for as long as it reports that it is alive. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { atMost } from "./atMost.js"
import { database, interval, orWarn, rows } from "./database.js"

/**
 * A condition: the lease of a runner holds, and the session of its last report exists. The session of a killed process ends at once. Only the lease
 * counts after a restart of the database, which ends all sessions, and behind PgBouncer, whose pool keeps the session of a killed process.
 */
export const isAlive = (sql: SqlClient.SqlClient) => sql`(alive_until > now() AND (
  session IS NULL OR seen_at < pg_postmaster_start_time() OR session IN (SELECT pid FROM pg_stat_activity)
))`

/**
 * A condition: this runner is alive, and either no other runner that is alive has claimed the row, or this one has and does not know of it. After
 * an outage, a runner therefore claims nothing before it has reported: until then, the others would take what it claims.
 */
export const isFree = (sql: SqlClient.SqlClient, runner: string, known: ReadonlyArray<string>, key: string) => {
  const alive = sql`SELECT runner FROM vigil_runners WHERE ${isAlive(sql)}`
  const unknown = known.length === 0 ? sql`TRUE` : sql`NOT ${sql.in(key, known)}`
  return sql`(${runner}::uuid IN (${alive}) AND (
    runner IS NULL OR (runner = ${runner} AND ${unknown}) OR (runner <> ${runner} AND runner NOT IN (${alive}))
  ))`
}

/** A runner whose connection is lost is not alive until its next report. */
const maxSilence = Duration.seconds(10)

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
      UPDATE vigil_runners SET seen_at = now(), alive_until = ${aliveUntil}, session = pg_backend_pid()
      WHERE runner = ${id} RETURNING runner`
    if (known.length === 0) yield* insert
    const [row] = yield* rows(
      Schema.Struct({ count: Schema.Number }),
      (sql) => sql`
        WITH old AS (DELETE FROM vigil_runners WHERE alive_until < now() - interval '1 hour')
        SELECT count(*)::integer AS count FROM vigil_runners WHERE ${isAlive(sql)}`,
    )
    runner.count = Math.max(1, row?.count ?? 1)
  })
  // All on one connection: the pool closes idle ones, and the session of a report must not end before the next report.
  const reports = Effect.gen(function* () {
    const connection = yield* Effect.timeout(sql.reserve, lease)
    yield* Effect.timeout(report, lease).pipe(
      Effect.provideService(sql.transactionService, [connection, 0]),
      Effect.repeat(Schedule.spaced(Duration.min(Duration.times(lease, 0.25), maxSilence))),
    )
  })
  yield* Effect.scoped(reports).pipe(
    orWarn("report that the runner is alive"),
    Effect.withTracerEnabled(false),
    Effect.forever,
    Effect.forkScoped,
  )
  return runner
})
