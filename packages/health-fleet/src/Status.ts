/** The state of a fleet: its runners, polls and deliveries. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { FleetError } from "./FleetError.js"
import { command } from "./internal/database.js"

/** A process that has reported within the last hour. @category models @since 0.1.0 */
export interface Runner {
  readonly id: string
  readonly name: string
  readonly startedAt: Date
  readonly seenAt: Date
  /** Whether its lease has not ended, by the clock of the database. Otherwise, the others have taken over. */
  readonly isAlive: boolean
  /** How many subscriptions it polled last. */
  readonly subscriptions: number
  /** Its sinks, routes, filter and API version, as JSON. All runners that are alive should have the same. */
  readonly settings: string
}

/** @category models @since 0.1.0 */
export interface Sink {
  readonly name: string
  /** How many notifications wait. */
  readonly pending: number
  /** When the oldest of them was stored; `null` if none waits. */
  readonly oldestAt: Date | null
  /** The last error of the oldest waiting notification that has failed; `null` if none has. */
  readonly error: string | null
  readonly deadLetters: number
  /** Whether a runner that is alive has this sink. Otherwise, its notifications wait until one has. */
  readonly isServed: boolean
}

/** @category models @since 0.1.0 */
export interface Status {
  readonly runners: ReadonlyArray<Runner>
  /** Sinks with notifications that wait, or with dead letters. */
  readonly sinks: ReadonlyArray<Sink>
  /** How many subscriptions the fleet watches. */
  readonly subscriptions: number
  readonly paused: number
  /** How many subscriptions failed at their last poll. */
  readonly failing: number
  /** How many polls are late by more than 10 seconds. */
  readonly late: number
  /** How late the most overdue poll is, in seconds; 0 if none is. */
  readonly lag: number
  readonly lastPollAt: Date | null
  /** How many outcomes were refused, because another runner had claimed the subscription. */
  readonly refused: number
}

/** A subscription of a fleet. @category models @since 0.1.0 */
export interface Subscription {
  readonly id: string
  readonly isPaused: boolean
  /** The name of the runner that polled it last; `null` if that runner is unknown. */
  readonly runner: string | null
  readonly polledAt: Date | null
  /** The last success with the current filter and API version. */
  readonly succeededAt: Date | null
  readonly dueAt: Date
  /** How many polls have failed since the last success. */
  readonly failures: number
  /** The error of the last poll; `null` if it succeeded. */
  readonly error: string | null
  /** How many entries of the last list were not events. */
  readonly invalid: number
  readonly openEvents: number
}

const attempt = "read the status of the fleet"

/** Reads the state of a fleet. @category status @since 0.1.0 */
export const status: Effect.Effect<Status, FleetError, SqlClient.SqlClient> = command(attempt, (sql) =>
  Effect.gen(function* () {
    const runners = yield* sql<Runner>`
    SELECT runner AS id, name, started_at AS "startedAt", seen_at AS "seenAt", alive_until > now() AS "isAlive",
      coalesce(subscriptions, 0) AS subscriptions, settings
    FROM vigil_runners LEFT JOIN (
      SELECT last_runner, count(*)::integer AS subscriptions FROM vigil_subscriptions GROUP BY last_runner
    ) AS counts ON last_runner = runner
    ORDER BY started_at`
    const sinks = yield* sql<Sink>`
    SELECT name, sum(pending)::integer AS pending, min("oldestAt") AS "oldestAt", max(error) AS error,
      sum("deadLetters")::integer AS "deadLetters", EXISTS (
        SELECT FROM vigil_runners WHERE alive_until > now() AND counts.name = ANY(sinks)
      ) AS "isServed"
    FROM (
      SELECT sink AS name, count(*) AS pending, min(created_at) AS "oldestAt",
        (array_agg(error ORDER BY seq) FILTER (WHERE error IS NOT NULL))[1] AS error, 0 AS "deadLetters"
      FROM vigil_outbox GROUP BY sink
      UNION ALL
      SELECT sink, 0, NULL, NULL, count(*) FROM vigil_dead_letters GROUP BY sink
    ) AS counts GROUP BY name ORDER BY name`
    const [counts] = yield* sql<Omit<Status, "runners" | "sinks">>`
    SELECT count(*) FILTER (WHERE is_wanted)::integer AS subscriptions,
      count(*) FILTER (WHERE is_wanted AND is_paused)::integer AS paused,
      count(*) FILTER (WHERE is_wanted AND failures > 0)::integer AS failing,
      count(*) FILTER (WHERE is_wanted AND NOT is_paused AND due_at < now() - interval '10 seconds')::integer AS late,
      coalesce(extract(epoch FROM now() - least(now(), min(due_at) FILTER (WHERE is_wanted AND NOT is_paused))), 0)
        ::double precision AS lag,
      max(polled_at) AS "lastPollAt", coalesce(sum(refused), 0)::integer AS refused
    FROM vigil_subscriptions`
    const none = { subscriptions: 0, paused: 0, failing: 0, late: 0, lag: 0, lastPollAt: null, refused: 0 }
    return { runners, sinks, ...(counts ?? none) }
  }),
)

/** Lists the subscriptions of a fleet, by ID. @category status @since 0.1.0 */
export const subscriptions: Effect.Effect<ReadonlyArray<Subscription>, FleetError, SqlClient.SqlClient> = command(
  attempt,
  (sql) => sql<Subscription>`
    SELECT subscription AS id, is_paused AS "isPaused", vigil_runners.name AS runner, polled_at AS "polledAt",
      succeeded_at AS "succeededAt", due_at AS "dueAt", failures, error, invalid, (
        SELECT count(*)::integer FROM vigil_open_events AS open
        WHERE open.subscription = vigil_subscriptions.subscription
      ) AS "openEvents"
    FROM vigil_subscriptions LEFT JOIN vigil_runners ON vigil_runners.runner = last_runner
    WHERE is_wanted ORDER BY subscription`,
)
