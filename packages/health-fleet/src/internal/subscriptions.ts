/** The subscriptions of a fleet: which are due, and what their last poll found. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { database, interval, rows, storable, withTransaction } from "./database.js"
import { enqueue, type Settings } from "./enqueue.js"
import type { PollResult } from "./poll.js"
import { isFree } from "./runner.js"

const Claim = Schema.Struct({
  subscription: Schema.String,
  /** Grows with each claim. Only the last one may store what it found. */
  epoch: Schema.BigInt,
  state: Schema.NullOr(Schema.String),
  wait_ms: Schema.Number,
  trace: Schema.NullOr(Schema.String),
  /** How late the poll is. */
  lag_seconds: Schema.Number,
  has_open_events: Schema.Boolean,
  has_succeeded: Schema.Boolean,
})

export type Claim = typeof Claim.Type

/** Claims subscriptions whose poll is due. */
export const claim = (runner: string, known: ReadonlyArray<string>, limit: number) =>
  rows(
    Claim,
    (sql) => sql`
      WITH due AS MATERIALIZED (
        SELECT subscription FROM vigil_subscriptions
        WHERE is_wanted AND NOT is_paused AND due_at <= now() AND ${isFree(sql, runner, known, "subscription")}
        ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      UPDATE vigil_subscriptions SET epoch = nextval('vigil_epochs'), runner = ${runner}, last_runner = ${runner}
      WHERE subscription IN (SELECT subscription FROM due)
      RETURNING subscription, epoch, state, wait_ms, trace,
        succeeded_at IS NOT NULL AS has_succeeded, extract(epoch FROM now() - due_at)::double precision AS lag_seconds,
        EXISTS (
          SELECT FROM vigil_open_events AS open WHERE open.subscription = vigil_subscriptions.subscription
        ) AS has_open_events`,
  )

export interface Outcome extends PollResult {
  readonly wait: Duration.Duration
  readonly trace: string | null
}

/**
 * Stores the outcome of a poll, unless another runner has claimed the subscription since. Returns whether it was stored. Ends after the time
 * limit.
 */
export const store = (settings: Settings, claim: Claim, outcome: Outcome, limit: Duration.Duration) =>
  Effect.gen(function* () {
    const sql = yield* database
    const { epoch, has_succeeded, subscription } = claim
    const { changes, error, invalid, isFirst, state, trace, wait } = outcome
    // The events of the state before, which may have another filter, no longer count: no poll of this state has succeeded or has open events.
    const hasNewState = isFirst && state !== undefined
    const update = Effect.map(
      sql`
        UPDATE vigil_subscriptions SET
          runner = NULL,
          polled_at = now(),
          succeeded_at = ${error === undefined ? sql`now()` : hasNewState ? null : sql`succeeded_at`},
          failures = ${error === undefined ? 0 : sql`failures + 1`},
          error = ${error === undefined ? null : storable(error)},
          invalid = ${invalid},
          state = ${state === undefined ? sql`state` : sql`${state}`},
          trace = ${trace},
          wait_ms = ${Duration.toMillis(wait)},
          due_at = now() + ${interval(sql, wait)}
        WHERE subscription = ${subscription} AND epoch = ${epoch}
        RETURNING subscription`,
      ({ length }) => length > 0,
    )
    const record = Effect.gen(function* () {
      if (hasNewState) yield* sql`DELETE FROM vigil_open_events WHERE subscription = ${subscription}`
      yield* enqueue(settings, { subscription, changes, isFirst: isFirst || !has_succeeded, trace })
    })
    const isStored = yield* changes.length === 0 && !hasNewState
      ? update
      : withTransaction(
          Effect.tap(update, (isStored) => (isStored ? record : Effect.void)),
          limit,
        )
    if (!isStored) yield* sql`UPDATE vigil_subscriptions SET refused = refused + 1 WHERE subscription = ${subscription}`
    return isStored
  }).pipe(Effect.timeout(limit))
