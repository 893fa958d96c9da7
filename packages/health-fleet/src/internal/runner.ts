/** What a runner knows, and the conditions of claims: a runner is one process of a fleet. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** What the database said in the last report. */
export const Report = Schema.Struct({
  /** When the server started, as text, which keeps the microseconds: a promoted standby started at another time than the primary before it. */
  server: Schema.String,
  /** In seconds since 1970. */
  now: Schema.Number,
  /** How many runners are alive. */
  count: Schema.Number,
  /** The names of runners that poll another service, are alive, and started before. */
  others: Schema.Array(Schema.String),
})

export interface Runner {
  readonly id: string
  readonly lease: Duration.Duration
  /** The tokens of the claims that run here, by subscription and by number of the notification. */
  readonly polls: Map<string, string>
  readonly deliveries: Map<string, string>
  /** `at`: when it arrived, in monotonic milliseconds. */
  report: (typeof Report.Type & { readonly at: number }) | undefined
  /** No subscription is due before `at`, in seconds since 1970. A new object replaces it when an earlier one becomes due: a running claim changes only the object that it started with. */
  floor: { at: number }
}

/** Runners of an earlier version are alive, so that the tables cannot be changed. `FleetError` describes it. */
export class EarlierRunners extends Schema.TaggedError<EarlierRunners>()("EarlierRunners", {
  names: Schema.Array(Schema.String),
}) {}

/** Runners that poll another service work on the tables. `FleetError` describes it. */
export class OtherService extends Schema.TaggedError<OtherService>()("OtherService", {
  names: Schema.Array(Schema.String),
}) {}

/** In milliseconds. */
export const monotonic = Effect.map(Clock.monotonicTimeNanos, (now) => Number(now) / 1e6)

/** How old a report is. In seconds. */
export const ageOf = (report: Runner["report"]) =>
  Effect.map(monotonic, (now) => (report === undefined ? Infinity : (now - report.at) / 1_000))

/** How long a runner waits for the database. */
export const limitOf = ({ lease }: Pick<Runner, "lease">): Duration.Duration =>
  Duration.min(lease, Duration.seconds(10))

/** The clock of the database has moved if it differs by more than this. In seconds. */
export const maxStep = 5

/** A runner that has not reported for so long claims nothing. In seconds. */
export const maxAge = ({ lease }: Runner) => 0.75 * Duration.toSeconds(lease)

/** A condition: server and clock are those of the last report. Otherwise, claims of others may be lost with the last commits, or seem to end. */
export const mayClaim = (sql: SqlClient.SqlClient, runner: Runner) => {
  const { report } = runner
  if (report === undefined) return sql`FALSE`
  const since = sql`to_timestamp(${report.now - maxStep}::double precision)`
  const until = sql`to_timestamp(${report.now + maxAge(runner)}::double precision)`
  return sql`(pg_postmaster_start_time() = ${report.server}::timestamptz AND now() BETWEEN ${since} AND ${until})`
}

/** A condition: the session of the last report has ended, as after a kill. If it has none, or the server has started since, only the lease counts. */
export const hasEnded = (sql: SqlClient.SqlClient) => sql`(
  session IS NOT NULL AND server_started = pg_postmaster_start_time() AND session NOT IN (SELECT pid FROM pg_stat_activity)
)`

/** A condition: the lease of a runner holds, and its session has not ended. */
export const isAlive = (sql: SqlClient.SqlClient) => sql`(alive_until > now() AND NOT ${hasEnded(sql)})`

/** A condition: a subscription is polled. It is that of the index. */
export const isActive = (sql: SqlClient.SqlClient) => sql`(is_wanted AND NOT is_paused)`
