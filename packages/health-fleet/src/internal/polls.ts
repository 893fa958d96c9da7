/** The polls of a fleet: claims what is due, and stores what a poll found. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { database, interval, orWarn, rows, storable, withTransaction } from "./database.js"
import * as outbox from "./enqueue.js"
import { type Options, poll, type PollResult } from "./poll.js"
import { isFree } from "./runner.js"
import * as trace from "./trace.js"

export interface Settings extends outbox.Settings {
  /** The time between two polls of a subscription: with open events and after a change, and after many polls without a change. */
  readonly period: { readonly min: Duration.Duration; readonly max: Duration.Duration }
  readonly lease: Duration.Duration
  readonly options: Options
  /** Waits for the next request within the rate limit. */
  readonly turn: Effect.Effect<void>
}

const count = Metric.counter("vigil_fleet_polls", {
  description: "Polls by result: success, failure, or refused, because another runner has claimed the subscription.",
  incremental: true,
})

const delays = Metric.histogram("vigil_fleet_poll_delay_seconds", {
  description: "How late polls start.",
  boundaries: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900],
})

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
  /** When it was claimed. */
  now: Schema.DateTimeUtcFromDate,
})

type Claim = typeof Claim.Type

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
      RETURNING subscription, epoch, state, wait_ms, trace, now(),
        succeeded_at IS NOT NULL AS has_succeeded, extract(epoch FROM now() - due_at)::double precision AS lag_seconds,
        EXISTS (
          SELECT FROM vigil_open_events AS open WHERE open.subscription = vigil_subscriptions.subscription
        ) AS has_open_events`,
  )

/** How long to wait for the next poll. Grows while nothing happens. Varies by 10 %: subscriptions may have been added at the same time. */
const nextWait = ({ max, min }: Settings["period"], { has_open_events, wait_ms }: Claim, result: PollResult) =>
  Effect.map(Random.next, (random) => {
    const isActive = result.error === undefined && (result.changes.length > 0 || has_open_events)
    const longer = Duration.clamp(Duration.millis(wait_ms * 1.5), { minimum: min, maximum: max })
    return Duration.times(isActive ? min : longer, 0.9 + 0.2 * random)
  })

/** Stores the outcome of a poll, unless another runner has claimed the subscription since. */
const store = Effect.fnUntraced(function* (settings: Settings, claim: Claim, result: PollResult) {
  const sql = yield* database
  const { epoch, has_succeeded, now, subscription } = claim
  const { changes, error, invalid, isFirst, state } = result
  const wait = yield* nextWait(settings.period, claim, result)
  const span = yield* trace.current
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
        trace = ${span},
        wait_ms = ${Duration.toMillis(wait)},
        due_at = now() + ${interval(sql, wait)}
      WHERE subscription = ${subscription} AND epoch = ${epoch}
      RETURNING subscription`,
    ({ length }) => length > 0,
  )
  const updateAll = Effect.gen(function* () {
    if (!(yield* update)) return false
    if (hasNewState) yield* sql`DELETE FROM vigil_open_events WHERE subscription = ${subscription}`
    yield* outbox.enqueue(settings, { subscription, changes, isFirst: isFirst || !has_succeeded, now, trace: span })
    return true
  })
  const isStored = yield* changes.length > 0 || hasNewState ? withTransaction(updateAll, settings.lease) : update
  if (!isStored) yield* sql`UPDATE vigil_subscriptions SET refused = refused + 1 WHERE subscription = ${subscription}`
  const label = isStored ? (error === undefined ? "success" : "failure") : "refused"
  yield* Metric.update(Metric.withAttributes(count, { result: label }), 1)
  yield* Metric.update(delays, claim.lag_seconds)
  return isStored
})

const decodeId = Schema.decodeEffect(SubscriptionId.SubscriptionId)

/** Polls a claimed subscription and stores the outcome. */
export const run = (settings: Settings, claim: Claim) => {
  const save = (result: PollResult) => Effect.timeout(store(settings, claim, result), settings.lease)
  const error = "The outcome of the poll could not be stored."
  return decodeId(claim.subscription).pipe(
    Effect.flatMap((id) => poll(id, claim.state, { ...settings.options, now: claim.now }, settings.turn)),
    Effect.flatMap(save),
    orWarn("store a poll", 0),
    // Otherwise, it would be polled again at once.
    Effect.filterOrElse(Predicate.isNotUndefined, () =>
      save({ changes: [], state: undefined, invalid: 0, isFirst: false, error }),
    ),
    Effect.withSpan("Fleet.poll", {
      links: Option.toArray(trace.parse(claim.trace)).map((span) => ({ span, attributes: {} })),
      attributes: { "vigil.subscription": claim.subscription },
      root: true,
    }),
    // It is claimed again after this.
    orWarn("store that a poll failed", "5 seconds"),
  )
}
