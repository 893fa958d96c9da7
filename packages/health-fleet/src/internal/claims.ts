/** Claims subscriptions whose poll is due. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { interval, rows } from "./database.js"
import { isActive, limitOf, mayClaim, type Runner, unknownFloor } from "./runner.js"

const Claim = Schema.Struct({
  subscription: Schema.String,
  /** Random: a promoted standby that lacks the last commits cannot give the same one again. Only the last claim may store what it found. */
  token: Schema.String,
  state: Schema.NullOr(Schema.String),
  wait_ms: Schema.Number,
  trace: Schema.NullOr(Schema.String),
  /** How late the poll is. */
  lag_seconds: Schema.Number,
  has_open_events: Schema.Boolean,
  has_succeeded: Schema.Boolean,
  /** When it was claimed. */
  now: Schema.DateTimeUtcFromDate,
  /** The floor of the next claim. Its margin covers rows that were locked, and due times that were committed late. */
  floor: Schema.String,
})

export type Claim = typeof Claim.Type

/** Each claimed row has a lease of its own: until it ends, the row is not due. */
const claimDue = (runner: Runner, limit: number) =>
  rows(
    Claim,
    (sql) => sql`
      WITH due AS MATERIALIZED (
        SELECT subscription, due_at FROM vigil_claims
        WHERE ${isActive(sql)} AND due_at <= now()
        AND due_at >= least(${runner.floor}::timestamptz, now() - interval '1 second')
        AND ${mayClaim(sql, runner)} AND subscription <> ALL(${[...runner.polls.keys()]}::text[])
        ORDER BY due_at LIMIT ${sql.literal(String(limit))} FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE vigil_claims AS claim
        SET due_at = now() + ${interval(sql, runner.lease)}, token = gen_random_uuid(), runner = ${runner.id}
        FROM due WHERE claim.subscription = due.subscription
        RETURNING claim.*, due.due_at AS was_due
      )
      SELECT subscription, token, state, wait_ms, trace, now(), succeeded_at IS NOT NULL AS has_succeeded,
        extract(epoch FROM now() - was_due)::double precision AS lag_seconds,
        (min(was_due) OVER () - interval '1 second')::text AS floor,
        EXISTS (
          SELECT FROM vigil_open_events AS open WHERE open.subscription = claimed.subscription
        ) AS has_open_events
      FROM claimed JOIN vigil_subscriptions USING (subscription)`,
  )

/** Without a floor, a claim reads the entries of all polls since the oldest open transaction. */
const fullScans = { every: Duration.toMillis("1 minute"), maxShare: 0.01 }

/** Claims are faster with a floor. It is wrong for rows that were locked for long, so that some claims have none. */
export const make = (runner: Runner) => {
  let nextScan = 0
  const elapsed = Effect.map(Clock.monotonicTimeNanos, (now) => Number(now) / 1e6)
  return Effect.fnUntraced(function* (limit: number) {
    const start = yield* elapsed
    const isFull = start >= nextScan || runner.floor === unknownFloor
    if (isFull) runner.floor = unknownFloor
    const { report } = runner
    const claimed = yield* Effect.timeout(claimDue(runner, limit), limitOf(runner)).pipe(
      Effect.onError(() => Effect.sync(() => (runner.floor = unknownFloor))),
    )
    // Nothing is claimed between a failover, or a step of the clock, and the next report.
    runner.floor = runner.report === report ? (claimed[0]?.floor ?? "infinity") : unknownFloor
    const end = yield* elapsed
    if (isFull) nextScan = end + Math.max(fullScans.every, (end - start) / fullScans.maxShare)
    return claimed
  })
}
