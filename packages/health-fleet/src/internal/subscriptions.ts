/** The subscriptions of a fleet: which are due, and what their last poll found. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Change } from "@vigil/health-client/Watch"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { enqueue, type Settings } from "./enqueue.js"
import { later } from "./interval.js"
import { isFree, type Runner } from "./runner.js"

export interface Claim {
  readonly subscription: string
  /** Grows with each claim. Only the last one may store what it found. */
  readonly epoch: string
  readonly state: string | null
  readonly wait_ms: number
  readonly failures: number
  readonly trace: string | null
  /** How late the poll is. */
  readonly lag_seconds: number
  readonly has_open_events: boolean
}

/** Claims subscriptions whose poll is due. */
export const claim = (runner: Runner, known: ReadonlyArray<string>, limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Claim>`
      UPDATE vigil_subscriptions SET epoch = epoch + 1, runner = ${runner.id}, last_runner = ${runner.id}
      WHERE subscription IN (
        SELECT subscription FROM vigil_subscriptions
        WHERE is_wanted AND NOT is_paused AND due_at <= now() AND ${isFree(sql, runner, known, "subscription")}
        ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      RETURNING subscription, epoch, state, wait_ms, failures, trace,
        extract(epoch FROM now() - due_at)::double precision AS lag_seconds,
        EXISTS (
          SELECT FROM vigil_open_events AS open WHERE open.subscription = vigil_subscriptions.subscription
        ) AS has_open_events`,
  )

export interface Outcome {
  readonly changes: ReadonlyArray<Change>
  readonly state: string | undefined
  readonly error: string | null
  readonly wait: Duration.Duration
  readonly trace: string | null
}

/** The locks of a runner that hangs in a transaction must not outlive its lease. Until the transaction ends. */
const limitIdleTime = (sql: SqlClient.SqlClient, lease: Duration.Duration) =>
  sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(Math.ceil(Duration.toMillis(lease)))}, true)`

/** Stores the outcome of a poll, unless another runner has claimed the subscription since. Returns whether it was stored. */
export const store = (
  { lease, ...settings }: Settings & { readonly lease: Duration.Duration },
  { epoch, failures, subscription }: Claim,
  outcome: Outcome,
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { changes, error, state, trace, wait } = outcome
    const update = sql`
      UPDATE vigil_subscriptions SET
        runner = NULL,
        polled_at = now(),
        succeeded_at = ${error === null ? sql`now()` : sql`succeeded_at`},
        failures = ${error === null ? 0 : failures + 1},
        error = ${error},
        state = ${state === undefined ? sql`state` : sql`${state}`},
        trace = ${trace},
        wait_ms = ${Duration.toMillis(wait)},
        due_at = now() + ${later(sql, wait)}
      WHERE subscription = ${subscription} AND epoch = ${epoch}
      RETURNING subscription`
    const stored =
      changes.length === 0
        ? yield* update
        : yield* sql.withTransaction(
            Effect.tap(Effect.zipRight(limitIdleTime(sql, lease), update), ({ length }) =>
              length === 0 ? Effect.void : enqueue(settings, { subscription, changes, trace }),
            ),
          )
    if (stored.length > 0) return true
    yield* sql`UPDATE vigil_subscriptions SET refused = refused + 1 WHERE subscription = ${subscription}`
    return false
  })
