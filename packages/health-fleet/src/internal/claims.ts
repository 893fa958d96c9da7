/** Claims subscriptions whose poll is due. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { database, interval, rows } from "./database.js"
import { ageOf, isActive, limitOf, maxAge, mayClaim, type Runner } from "./runner.js"

const Claim = Schema.Struct({
  subscription: Schema.String,
  /** Random: a promoted standby that lacks the last commits cannot give the same one again. Only the last claim may store what it found. */
  token: Schema.String,
  state: Schema.NullOr(Schema.String),
  wait_ms: Schema.Number,
  trace: Schema.NullOr(Schema.String),
  lag_seconds: Schema.Number,
  has_open_events: Schema.Boolean,
  has_succeeded: Schema.Boolean,
  /** When it was claimed. */
  now: Schema.DateTimeUtcFromDate,
  /** When the first of the subscriptions that were found was due, in seconds since 1970. */
  first_due: Schema.Number,
})

export type Claim = typeof Claim.Type

/** A subscription that changed between the snapshot and the lock, and stays due: the statement cannot see its new row. */
const Changed = Schema.Struct({ subscription: Schema.Null, first_due: Schema.Number })

/** Between the floor and what is due. It covers rows that are locked for a moment, and due times that are committed late. In seconds. */
const margin = 0.2

/** Until its lease ends, a claimed row is not due. While a transaction is open, a `ctid` finds it sooner than an index, which keeps old entries. */
const claimDue = (runner: Runner, limit: number) =>
  rows(
    Schema.Union([Claim, Changed]),
    (sql) => sql`WITH due AS MATERIALIZED (
      SELECT ctid, due_at FROM vigil_claims
      WHERE ${isActive(sql)} AND due_at <= now()
      AND due_at >= to_timestamp(${runner.floor.at}::double precision)
      AND ${mayClaim(sql, runner)} AND subscription <> ALL(${[...runner.polls.keys()]}::text[])
      ORDER BY due_at LIMIT ${sql.literal(String(limit))} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE vigil_claims AS claim
      SET due_at = now() + ${interval(sql, runner.lease)}, token = gen_random_uuid(), runner = ${runner.id}
      FROM due WHERE claim.ctid = due.ctid
      RETURNING claim.*, due.ctid AS found
    )
    SELECT subscription, token, state, wait_ms, trace, now(), succeeded_at IS NOT NULL AS has_succeeded,
      extract(epoch FROM now() - due.due_at)::double precision AS lag_seconds,
      extract(epoch FROM min(due.due_at) OVER ())::double precision AS first_due,
      EXISTS (
        SELECT FROM vigil_open_events AS open WHERE open.subscription = claimed.subscription
      ) AS has_open_events
    FROM due LEFT JOIN (claimed JOIN vigil_subscriptions USING (subscription)) ON found = due.ctid`,
  )

/** Claims at most `limit` subscriptions, from the floor of the runner on. */
export const claim = Effect.fnUntraced(function* (runner: Runner, limit: number) {
  const { floor, report } = runner
  const age = yield* ageOf(report)
  const found = yield* Effect.timeout(claimDue(runner, limit), limitOf(runner)).pipe(
    Effect.onError(() => Effect.sync(() => (floor.at = -Infinity))),
  )
  if (found[0] !== undefined) floor.at = found[0].first_due - margin
  // If the report is too old, a claim finds nothing.
  else if (report !== undefined && (yield* ageOf(report)) < maxAge(runner) / 2) floor.at = report.now + age - margin
  return found.filter((row) => row.subscription !== null)
})

/** Makes rows due that are before the floor, because they were locked when others were claimed. Reads the entries of all earlier polls. */
export const findMissed = (runner: Runner) =>
  Effect.flatMap(
    database,
    (sql) => sql`
      UPDATE vigil_claims SET due_at = now()
      WHERE ${isActive(sql)} AND due_at < least(to_timestamp(${runner.floor.at}::double precision), now())
      AND ${mayClaim(sql, runner)}`,
  )
