/** Registers a runner, which holds its claims for as long as it reports that it is alive. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { database, interval, one, rows } from "./database.js"
import { version } from "./migrations.js"
import * as problems from "./problems.js"
import { isAlive, limitOf, maxStep, monotonic, OtherService, Report, type Runner } from "./runner.js"
import { extend, isClockBack, moveTimes, reap, release } from "./takeOver.js"
import { atMost } from "./workers.js"

interface Options extends Pick<Runner, "lease"> {
  readonly name: string
  readonly sinks: ReadonlyArray<string>
  /** As JSON. */
  readonly settings: string
  /** That of the settings. */
  readonly service: string
}

const isDriver = Schema.is(Schema.Struct({ connection: Schema.Struct({ processId: Schema.Number }) }))

const attempt = "report that the runner is alive"

/** Registers a runner until the scope closes, and reports that it is alive. Then releases its claims. */
export const register = Effect.fnUntraced(function* ({ lease, name, service, settings, sinks }: Options) {
  const sql = yield* database
  const id = crypto.randomUUID()
  const floor = { at: -Infinity }
  const runner: Runner = { id, lease, polls: new Map(), deliveries: new Map(), report: undefined, floor }
  const aliveUntil = sql`now() + ${interval(sql, lease)}`
  const insert = sql`
    INSERT INTO vigil_runners (runner, name, sinks, settings, alive_until, version)
    VALUES (${id}, ${name}, ${sinks}::text[], ${settings}, ${aliveUntil}, ${version})`
  // After a restart of the database, the first statement of each connection fails.
  const lastRelease = Effect.suspend(() => release(sql, runner)).pipe(Effect.retry(Schedule.spaced("100 millis")))
  yield* Effect.acquireRelease(insert, () => atMost("5 seconds", lastRelease))

  const report = Effect.fnUntraced(function* (processId: number | null) {
    const message = (yield* problems.current)[0]?.message ?? null
    const update = (sql: SqlClient.SqlClient) => sql`
      WITH old AS (DELETE FROM vigil_runners WHERE seen_at < now() - interval '1 hour' AND runner <> ${id})
      UPDATE vigil_runners SET
        seen_at = now(), alive_until = ${aliveUntil}, server_started = pg_postmaster_start_time(),
        session = CASE WHEN pg_backend_pid() = ${processId}::integer THEN pg_backend_pid() END,
        problem = ${message}, worked_at = ${message === null ? sql`now()` : sql`worked_at`}
      WHERE runner = ${id}
      RETURNING pg_postmaster_start_time()::text AS server, extract(epoch FROM now())::double precision AS now, (
        SELECT count(*)::integer + 1 FROM vigil_runners AS other WHERE ${isAlive(sql)} AND runner <> ${id}
      ) AS count, ARRAY(
        SELECT name FROM vigil_runners AS other
        WHERE ${isAlive(sql)} AND settings::json->>'service' <> ${service}
        AND (started_at, runner) < (vigil_runners.started_at, vigil_runners.runner)
      ) AS others`
    // A report that reaches the database after the release must not insert the row again.
    const [updated] = yield* rows(Report, update)
    return updated ?? (yield* Effect.andThen(insert, one(Report, update)))
  })

  // All on one connection: the pool closes idle ones, and the session of a report must not end before the next report.
  const reports = Effect.gen(function* () {
    const connection = yield* Effect.timeout(sql.reserve, limitOf(runner))
    // What the driver got when it connected. Poolers send a number of their own.
    const processId = isDriver(connection) ? connection.connection.processId : null
    const here = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(Effect.timeout(effect, limitOf(runner)), sql.transactionService, [connection, 0])
    // A runner whose connection is lost is not alive until its next report.
    const every = Duration.min(Duration.times(lease, 0.25), Duration.seconds(10))
    const times = Math.ceil(Duration.toMillis(every) / 500)
    const reaps = here(reap(sql, runner)).pipe(
      Effect.andThen(Effect.sleep(Duration.divideUnsafe(every, times))),
      Effect.repeat({ times: times - 1 }),
    )
    yield* Effect.gen(function* () {
      const isBack = yield* here(isClockBack(sql))
      if (isBack) yield* Effect.timeout(moveTimes, limitOf(runner))
      const next = { ...(yield* here(report(processId))), at: yield* monotonic }
      if (next.others.length > 0) {
        runner.report = undefined
        return yield* problems.orWarn("join the fleet", every)(new OtherService({ names: next.others }))
      }
      yield* problems.succeed("join the fleet")
      const last = runner.report ?? next
      const step = next.now - last.now - (next.at - last.at) / 1_000
      const isSame = next.server === last.server && Math.abs(step) <= maxStep
      yield* here(extend(sql, runner, isSame))
      // After the server or its clock has changed, the others report before anyone claims.
      if (!isSame) yield* Effect.andThen(Effect.sleep("1 second"), here(extend(sql, runner, false)))
      if (isBack || !isSame) runner.floor = { at: -Infinity }
      runner.report = next
      yield* problems.succeed(attempt)
      yield* reaps
    }).pipe(Effect.forever)
  })
  yield* Effect.scoped(reports).pipe(
    problems.orWarn(attempt, "500 millis"),
    Effect.withTracerEnabled(false),
    Effect.forever,
    Effect.forkScoped,
  )
  return runner
})
