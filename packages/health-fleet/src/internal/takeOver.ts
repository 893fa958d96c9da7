/** Who holds claims for how long: runners extend their own, and take over those of runners that ended. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { database, interval, withTransaction } from "./database.js"
import { hasEnded, isActive, maxStep, type Runner } from "./runner.js"

/** Ends the claims of runners that `lost` returns. Their polls are the next ones: they were due first. */
const handOver = (sql: SqlClient.SqlClient, { floor }: Runner, lost: Fragment) => sql`
  WITH lost AS (${lost}), notifications AS (
    UPDATE vigil_outbox SET claimed_until = NULL WHERE claimed_until > now() AND runner IN (SELECT runner FROM lost)
  )
  UPDATE vigil_claims SET due_at = least(due_at, now(), (
    SELECT min(due_at) FROM vigil_claims
    WHERE ${isActive(sql)} AND due_at BETWEEN to_timestamp(${floor.at}::double precision) AND now()
  ))
  WHERE token IS NOT NULL AND runner IN (SELECT runner FROM lost)`

/** Takes over from runners whose lease or session has ended, once. */
export const reap = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, runner: Runner) {
  const isLost = sql`alive_until > '-infinity' AND (alive_until <= now() OR ${hasEnded(sql)})`
  const lost = yield* sql`SELECT FROM vigil_runners WHERE ${isLost}`
  const mark = sql`UPDATE vigil_runners SET alive_until = '-infinity' WHERE ${isLost} RETURNING runner`
  if (lost.length === 0) return
  yield* handOver(sql, runner, mark)
  // It may have waited for rows that a lost runner had locked, and that were due before.
  runner.floor = { at: -Infinity }
})

/** Ends the claims of a runner that ends, and removes it. */
export const release = (sql: SqlClient.SqlClient, runner: Runner) =>
  handOver(sql, runner, sql`DELETE FROM vigil_runners WHERE runner = ${runner.id} RETURNING runner`)

/** Extends the claims that run here, except rows that are about to change. Without `isOwn`, also lost ones, so that no other runner polls them at the same time. */
export const extend = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, runner: Runner, isOwn: boolean) {
  const { deliveries, lease, polls } = runner
  const until = sql`now() + ${interval(sql, lease)}`
  const soon = sql`now() + ${interval(sql, Duration.times(lease, 0.75))}`
  const running = (all: ReadonlyMap<string, string>) =>
    sql`unnest(${[...all.keys()]}::text[], ${[...all.values()]}::uuid[]) AS running (key, claim)`
  const isSame = isOwn ? sql`token = claim` : sql`TRUE`
  if (polls.size > 0)
    yield* sql`WITH own AS MATERIALIZED (
      SELECT subscription FROM vigil_claims JOIN ${running(polls)} ON key = subscription
      WHERE ${isSame} AND due_at < ${soon} FOR UPDATE OF vigil_claims SKIP LOCKED
    )
    UPDATE vigil_claims SET due_at = ${until} FROM own WHERE vigil_claims.subscription = own.subscription`
  if (deliveries.size > 0)
    yield* sql`WITH own AS MATERIALIZED (
      SELECT seq FROM vigil_outbox JOIN ${running(deliveries)} ON key::bigint = seq
      WHERE ${isSame} AND (claimed_until IS NULL OR claimed_until < ${soon}) FOR UPDATE OF vigil_outbox SKIP LOCKED
    )
    UPDATE vigil_outbox SET claimed_until = ${until} FROM own WHERE vigil_outbox.seq = own.seq`
})

/** A condition: a runner has reported at a later time than now. */
const isAhead = (sql: SqlClient.SqlClient) => sql`max(seen_at) > now() + ${interval(sql, Duration.seconds(maxStep))}`

/** Whether the clock of the database has moved back, as after the promotion of a standby whose clock is behind. */
export const isClockBack = (sql: SqlClient.SqlClient) =>
  Effect.map(sql`SELECT FROM vigil_runners HAVING ${isAhead(sql)}`, ({ length }) => length > 0)

/** Moves all due times and leases with the clock of the database, once: no time of a report is ahead afterwards. */
export const moveTimes = Effect.gen(function* () {
  const sql = yield* database
  yield* sql`LOCK TABLE vigil_claims, vigil_outbox, vigil_tasks, vigil_runners IN SHARE ROW EXCLUSIVE MODE`
  yield* sql`WITH step AS MATERIALIZED (
    SELECT max(seen_at) - now() AS ahead FROM vigil_runners HAVING ${isAhead(sql)}
  ), claims AS (
    UPDATE vigil_claims SET due_at = due_at - ahead FROM step
  ), outbox AS (
    UPDATE vigil_outbox SET due_at = due_at - ahead, claimed_until = claimed_until - ahead FROM step
  ), tasks AS (
    UPDATE vigil_tasks SET due_at = due_at - ahead FROM step
  )
  UPDATE vigil_runners SET
    seen_at = seen_at - ahead, alive_until = alive_until - ahead, worked_at = worked_at - ahead,
    started_at = started_at - ahead
  FROM step`
}).pipe((moving) => withTransaction(moving, Duration.seconds(10)))
