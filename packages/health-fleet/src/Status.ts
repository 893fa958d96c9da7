/** The state of a fleet: its runners, polls and deliveries. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FleetError } from "./FleetError.js"
import { one, orFleetError, rows } from "./internal/database.js"
import { throttled } from "./internal/poll.js"
import { isActive, isAlive } from "./internal/runner.js"

const RunnerRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  startedAt: Schema.Date,
  seenAt: Schema.Date,
  /** Whether its lease holds, by the clock of the database, and its session exists. Otherwise, the others take over. */
  isAlive: Schema.Boolean,
  /** When it last reported that it can claim and store; `null` if it never has. */
  workedAt: Schema.NullOr(Schema.Date),
  /** What it could not do at its last report, and why; `null` if all worked. */
  problem: Schema.NullOr(Schema.String),
  /** How many subscriptions it polled last. */
  subscriptions: Schema.Number,
  /** Its sinks, routes, filter, API version, rate limit, and a hash of its base URL and vendor, as JSON. All runners that are alive should have the same. */
  settings: Schema.String,
})

/** A process that has reported within the last hour. @category models @since 0.1.0 */
export interface Runner extends Schema.Schema.Type<typeof RunnerRow> {}

const SinkRow = Schema.Struct({
  name: Schema.String,
  /** How many notifications wait. */
  pending: Schema.Number,
  /** When the oldest of them was stored; `null` if none waits. */
  oldestAt: Schema.NullOr(Schema.Date),
  /** The last error of the oldest waiting notification that has failed; `null` if none has. */
  error: Schema.NullOr(Schema.String),
  deadLetters: Schema.Number,
  /** Whether a runner that is alive has this sink. Otherwise, its notifications wait until one has. */
  isServed: Schema.Boolean,
})

/** @category models @since 0.1.0 */
export interface Sink extends Schema.Schema.Type<typeof SinkRow> {}

const CountsRow = Schema.Struct({
  /** How many subscriptions the fleet watches. */
  subscriptions: Schema.Number,
  paused: Schema.Number,
  /** How many subscriptions failed at their last poll. */
  failing: Schema.Number,
  /** How many of them failed because the service had got too many requests. */
  throttled: Schema.Number,
  /** How many polls are late by more than 10 seconds. */
  late: Schema.Number,
  /** How late the most overdue poll is, in seconds; 0 if none is. */
  lag: Schema.Number,
  lastPollAt: Schema.NullOr(Schema.Date),
  /** How many outcomes were refused, because another runner had claimed the subscription. */
  refused: Schema.Number,
  /** How long ago a runner last reported that it can work, in seconds; `null` if no runner has reported that it can work. */
  claimAge: Schema.NullOr(Schema.Number),
})

/** @category models @since 0.1.0 */
export interface Status extends Schema.Schema.Type<typeof CountsRow> {
  readonly runners: ReadonlyArray<Runner>
  /** Sinks with notifications that wait, or with dead letters. */
  readonly sinks: ReadonlyArray<Sink>
}

const SubscriptionRow = Schema.Struct({
  id: Schema.String,
  isPaused: Schema.Boolean,
  /** The name of the runner that polled it last; `null` if that runner is unknown. */
  runner: Schema.NullOr(Schema.String),
  polledAt: Schema.NullOr(Schema.Date),
  /** The last success with the current filter and API version. */
  succeededAt: Schema.NullOr(Schema.Date),
  dueAt: Schema.Date,
  /** How many polls have failed since the last success. */
  failures: Schema.Number,
  /** The error of the last poll; `null` if it succeeded. */
  error: Schema.NullOr(Schema.String),
  /** How many entries of the last list were not events. */
  invalid: Schema.Number,
  openEvents: Schema.Number,
})

/** A subscription of a fleet. @category models @since 0.1.0 */
export interface Subscription extends Schema.Schema.Type<typeof SubscriptionRow> {}

const runners = rows(
  RunnerRow,
  (sql) => sql`
    SELECT runner AS id, name, started_at AS "startedAt", seen_at AS "seenAt", ${isAlive(sql)} AS "isAlive",
      worked_at AS "workedAt", problem, coalesce(subscriptions, 0) AS subscriptions, settings
    FROM vigil_runners LEFT JOIN (
      SELECT runner, count(*)::integer AS subscriptions FROM vigil_claims GROUP BY runner
    ) AS counts USING (runner)
    ORDER BY started_at`,
)

const sinks = rows(
  SinkRow,
  (sql) => sql`
    SELECT name, sum(pending)::integer AS pending, min("oldestAt") AS "oldestAt", max(error) AS error,
      sum("deadLetters")::integer AS "deadLetters", EXISTS (
        SELECT FROM vigil_runners WHERE ${isAlive(sql)} AND counts.name = ANY(sinks)
      ) AS "isServed"
    FROM (
      SELECT sink AS name, count(*) AS pending, min(created_at) AS "oldestAt",
        (array_agg(error ORDER BY seq) FILTER (WHERE error IS NOT NULL))[1] AS error, 0 AS "deadLetters"
      FROM vigil_outbox GROUP BY sink
      UNION ALL
      SELECT sink, 0, NULL, NULL, count(*) FROM vigil_dead_letters GROUP BY sink
    ) AS counts GROUP BY name ORDER BY name`,
)

const counts = one(
  CountsRow,
  (sql) => sql`
    SELECT count(*) FILTER (WHERE is_wanted)::integer AS subscriptions,
      count(*) FILTER (WHERE is_wanted AND is_paused)::integer AS paused,
      count(*) FILTER (WHERE is_wanted AND failures > 0)::integer AS failing,
      count(*) FILTER (WHERE is_wanted AND starts_with(error, ${throttled}))::integer AS throttled,
      count(*) FILTER (WHERE ${isActive(sql)} AND due_at < now() - interval '10 seconds')::integer AS late,
      coalesce(extract(epoch FROM now() - least(now(), min(due_at) FILTER (WHERE ${isActive(sql)}))), 0)
        ::double precision AS lag,
      max(polled_at) AS "lastPollAt", coalesce(sum(refused), 0)::integer AS refused,
      (SELECT greatest(0, extract(epoch FROM now() - max(worked_at)))::double precision FROM vigil_runners) AS "claimAge"
    FROM vigil_claims`,
)

/** Reads the state of a fleet. @category status @since 0.1.0 */
export const status: Effect.Effect<Status, FleetError, SqlClient.SqlClient> = Effect.all({
  runners,
  sinks,
  counts,
}).pipe(
  Effect.map(({ counts, ...rest }) => ({ ...rest, ...counts })),
  orFleetError("read the status of the fleet"),
)

/** Lists the subscriptions of a fleet, by ID. @category status @since 0.1.0 */
export const subscriptions: Effect.Effect<ReadonlyArray<Subscription>, FleetError, SqlClient.SqlClient> = rows(
  SubscriptionRow,
  (sql) => sql`
    SELECT subscription AS id, is_paused AS "isPaused", vigil_runners.name AS runner, polled_at AS "polledAt",
      succeeded_at AS "succeededAt", due_at AS "dueAt", failures, error, invalid, (
        SELECT count(*)::integer FROM vigil_open_events AS open
        WHERE open.subscription = vigil_claims.subscription
      ) AS "openEvents"
    FROM vigil_claims LEFT JOIN vigil_runners USING (runner)
    WHERE is_wanted ORDER BY subscription`,
).pipe(orFleetError("read the status of the fleet"))
