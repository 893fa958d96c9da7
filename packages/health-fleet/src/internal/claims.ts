/** Claims subscriptions whose poll is due. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { database, interval, rows } from "./database.js"
import { isActive, limitOf, maxAge, mayClaim, monotonic, type Runner, unknownFloor } from "./runner.js"

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
  /** The floor of the next claim. */
  floor: Schema.String,
})

export type Claim = typeof Claim.Type

/** Between the floor and what is due. It covers rows that are locked for a moment, and due times that are committed late. In milliseconds. */
const margin = 200

/** Each claimed row has a lease of its own: until it ends, the row is not due. */
const claimDue = (runner: Runner, limit: number) =>
  rows(
    Claim,
    (sql) => sql`
      WITH due AS MATERIALIZED (
        SELECT subscription, due_at FROM vigil_claims
        WHERE ${isActive(sql)} AND due_at <= now()
        AND due_at >= ${runner.floor}::timestamptz
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
        (min(was_due) OVER () - ${interval(sql, margin)})::text AS floor,
        EXISTS (
          SELECT FROM vigil_open_events AS open WHERE open.subscription = claimed.subscription
        ) AS has_open_events
      FROM claimed JOIN vigil_subscriptions USING (subscription)`,
  )

/** The time of the database, or a little earlier, less the margin. */
const floorNow = ({ report }: Runner) =>
  Effect.map(monotonic, (now) =>
    report === undefined
      ? unknownFloor
      : new Date(Math.floor(report.now * 1_000 + now - report.at - margin)).toISOString(),
  )

/** Claims at most `limit` subscriptions, from the floor of the runner on. */
export const claim = Effect.fnUntraced(function* (runner: Runner, limit: number) {
  const { report } = runner
  const next = yield* floorNow(runner)
  const claimed = yield* Effect.timeout(claimDue(runner, limit), limitOf(runner)).pipe(
    Effect.onError(() => Effect.sync(() => (runner.floor = unknownFloor))),
  )
  const isRecent = report !== undefined && (yield* monotonic) - report.at < 500 * maxAge(runner)
  // A claim finds nothing if the last report is too old, or after a failover or a step of the clock.
  if (runner.report !== report) runner.floor = unknownFloor
  else if (claimed[0] !== undefined) runner.floor = claimed[0].floor
  else if (isRecent) runner.floor = next
  return claimed
})

/** Makes rows due that are before the floor, because they were locked when others were claimed. Reads the entries of all earlier polls. */
export const findMissed = ({ floor }: Runner) =>
  Effect.flatMap(
    database,
    (sql) => sql`UPDATE vigil_claims SET due_at = now() WHERE ${isActive(sql)} AND due_at < ${floor}::timestamptz`,
  )
