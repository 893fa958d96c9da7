/** The notifications that wait for sinks. Those of an event are delivered one by one, in order. */
import * as Decide from "@vigil/notify/Decide"
import { Notification } from "@vigil/notify/Notification"
import * as Sink from "@vigil/notify/Sink"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Match from "effect/Match"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { database, interval, rows, storable, withTransaction } from "./database.js"
import { orWarn } from "./problems.js"
import { limitOf, mayClaim, type Runner } from "./runner.js"
import * as trace from "./trace.js"

const count = Metric.counter("vigil_fleet_deliveries", {
  description: "Attempts to deliver a notification, by sink and result.",
  incremental: true,
})

const Entry = Schema.Struct({
  seq: Schema.BigInt,
  /** Random, as that of a subscription. A promoted standby may give the same `seq` to another notification. */
  token: Schema.String,
  event_key: Schema.String,
  notification: Schema.String,
  /** What the sink shows before the notification. */
  shown: Decide.Shown,
  attempts: Schema.Number,
  trace: Schema.NullOr(Schema.String),
})

type Entry = typeof Entry.Type

/** Claims due notifications. The first one of an event blocks the others. */
export const claim = (sink: string, runner: Runner, limit: number) =>
  rows(
    Entry,
    (sql) => sql`WITH due AS MATERIALIZED (
      SELECT seq FROM vigil_outbox AS one
      WHERE sink = ${sink} AND due_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())
      AND ${mayClaim(sql, runner)} AND seq <> ALL(${[...runner.deliveries.keys()]}::bigint[]) AND NOT EXISTS (
        SELECT FROM vigil_outbox AS earlier
        WHERE earlier.sink = one.sink AND earlier.event_key = one.event_key AND earlier.seq < one.seq
      )
      ORDER BY due_at, seq LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE vigil_outbox SET
      runner = ${runner.id}, token = gen_random_uuid(), claimed_until = now() + ${interval(sql, runner.lease)},
      attempts = attempts + 1
    WHERE seq IN (SELECT seq FROM due)
    RETURNING seq, token, event_key, notification, shown, attempts, trace`,
  ).pipe(Effect.timeout(limitOf(runner)))

/** Parses a stored notification. `undefined` if it is invalid. */
export const parse = flow(Schema.decodeOption(Schema.fromJsonString(Notification)), Option.getOrUndefined)

const invalid: Sink.Outcome = { _tag: "Rejected", reason: "failed", message: "The notification is invalid." }

/** Records what a sink shows of an event after everything in the outbox. */
export const setShown = (sink: string, eventKey: string, shown: Decide.Shown) =>
  Effect.flatMap(
    database,
    (sql) => sql`
      UPDATE vigil_events SET sinks = jsonb_set(sinks, ARRAY[${sink}, 'shown'], to_jsonb(${shown}::text))
      WHERE event_key = ${eventKey}`,
  )

/** Whether this is still the attempt that claimed the notification. */
const isOwn = (sql: SqlClient.SqlClient, { seq, token }: Entry) => sql`seq = ${seq} AND token = ${token}::uuid`

const Later = Schema.Struct({ seq: Schema.BigInt, notification: Schema.String })

/** Moves a notification to the dead letters. The later ones of the event are adapted to what the sink shows without it. */
const reject = Effect.fnUntraced(function* (sink: string, entry: Entry, message: string) {
  const sql = yield* database
  const { event_key } = entry
  // Polls lock in this order, too.
  yield* sql`SELECT FROM vigil_events WHERE event_key = ${event_key} FOR UPDATE`
  const dead = yield* sql`WITH dead AS (
    DELETE FROM vigil_outbox WHERE ${isOwn(sql, entry)} RETURNING seq, sink, event_key, position, notification
  )
  INSERT INTO vigil_dead_letters (seq, sink, event_key, position, notification, error)
  SELECT seq, sink, event_key, position, notification, ${storable(message)} FROM dead RETURNING seq`
  if (dead.length === 0) return
  const later = yield* rows(
    Later,
    (sql) => sql`
      SELECT seq, notification FROM vigil_outbox WHERE sink = ${sink} AND event_key = ${event_key} ORDER BY seq`,
  )
  const missed = parse(entry.notification)
  let shown = missed === undefined ? "unsure" : Decide.missed(entry.shown, missed)
  for (const { notification: text, seq } of later) {
    const notification = parse(text)
    if (notification === undefined) continue
    const adapted = Decide.adapt(shown, notification)
    yield* sql`UPDATE vigil_outbox SET notification = ${JSON.stringify(adapted)}, shown = ${shown} WHERE seq = ${seq}`
    shown = Decide.received(adapted)
  }
  yield* setShown(sink, event_key, shown)
})

/** Delivers a claimed notification and records the result, unless another runner has claimed it since. */
export const run = (sink: Sink.Sink, entry: Entry, runner: Runner) =>
  Effect.gen(function* () {
    const sql = yield* database
    const own = isOwn(sql, entry)
    const notification = parse(entry.notification)
    const failures = entry.attempts - 1
    const outcome = notification === undefined ? invalid : yield* Sink.attempt(sink, notification, { failures })
    const record = Match.valueTags(outcome, {
      Delivered: () => sql`DELETE FROM vigil_outbox WHERE ${own}`,
      // With the later notifications of the event, which wait for this one.
      Retry: ({ after, message }) => sql`WITH failed AS (
        UPDATE vigil_outbox SET claimed_until = NULL, error = ${storable(message)}, due_at = now() + ${interval(sql, after)}
        WHERE ${own} RETURNING sink, event_key, seq, due_at
      )
      UPDATE vigil_outbox AS later SET due_at = greatest(later.due_at, failed.due_at) FROM failed
      WHERE later.sink = failed.sink AND later.event_key = failed.event_key AND later.seq > failed.seq`,
      Rejected: ({ message }) => withTransaction(reject(sink.name, entry, message), runner.lease),
    })
    yield* Effect.timeout(record, limitOf(runner))
    const result = outcome._tag === "Delivered" ? "success" : "failure"
    yield* Metric.update(Metric.withAttributes(count, { sink: sink.name, result }), 1)
  }).pipe(
    Effect.withSpan("Fleet.deliver", {
      parent: Option.getOrUndefined(trace.parse(entry.trace)),
      attributes: { "vigil.sink": sink.name },
    }),
    // It is sent again after this.
    orWarn("record a delivery", "5 seconds"),
  )
