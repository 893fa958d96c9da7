/** The notifications that wait for sinks. Those of an event are delivered one by one, in order. */
import { Notification } from "@vigil/notify/Notification"
import * as Sink from "@vigil/notify/Sink"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Match from "effect/Match"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { database, interval, orWarn, rows, storable } from "./database.js"
import { isFree } from "./runner.js"
import * as trace from "./trace.js"

const count = Metric.counter("vigil_fleet_deliveries", {
  description: "Attempts to deliver a notification, by sink and result.",
  incremental: true,
})

const Entry = Schema.Struct({
  seq: Schema.BigInt,
  notification: Schema.String,
  attempts: Schema.Number,
  trace: Schema.NullOr(Schema.String),
})

type Entry = typeof Entry.Type

/** Claims due notifications. The first one of an event blocks the others. */
export const claim = (sink: string, runner: string, known: ReadonlyArray<string>, limit: number) =>
  rows(
    Entry,
    (sql) => sql`
      WITH due AS MATERIALIZED (
        SELECT seq FROM vigil_outbox AS one
        WHERE sink = ${sink} AND due_at <= now() AND ${isFree(sql, runner, known, "seq")} AND NOT EXISTS (
          SELECT FROM vigil_outbox AS earlier
          WHERE earlier.sink = one.sink AND earlier.event_key = one.event_key AND earlier.seq < one.seq
        )
        ORDER BY due_at, seq LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      UPDATE vigil_outbox SET runner = ${runner}, attempts = attempts + 1 WHERE seq IN (SELECT seq FROM due)
      RETURNING seq, notification, attempts, trace`,
  )

const decode = Schema.decodeEffect(Schema.fromJsonString(Notification))

const send = (sink: Sink.Sink, { attempts, notification }: Entry): Effect.Effect<Sink.Outcome> =>
  Effect.matchEffect(decode(notification), {
    onFailure: () => Effect.succeed({ _tag: "Rejected", reason: "failed", message: "The notification is invalid." }),
    onSuccess: (notification) => Sink.attempt(sink, notification, { failures: attempts - 1 }),
  })

/** Delivers a claimed notification and records the result within `limit`, unless another runner has claimed it since. */
export const run = (sink: Sink.Sink, entry: Entry, limit: Duration.Duration) =>
  Effect.gen(function* () {
    const sql = yield* database
    const own = sql`seq = ${entry.seq} AND attempts = ${entry.attempts}`
    const outcome = yield* send(sink, entry)
    const record = Match.valueTags(outcome, {
      Delivered: () => sql`DELETE FROM vigil_outbox WHERE ${own}`,
      // With the later notifications of the event, which wait for this one.
      Retry: ({ after, message }) => sql`
        WITH failed AS (
          UPDATE vigil_outbox SET runner = NULL, error = ${storable(message)}, due_at = now() + ${interval(sql, after)}
          WHERE ${own} RETURNING sink, event_key, seq, due_at
        )
        UPDATE vigil_outbox AS later SET due_at = greatest(later.due_at, failed.due_at) FROM failed
        WHERE later.sink = failed.sink AND later.event_key = failed.event_key AND later.seq > failed.seq`,
      Rejected: ({ message }) => sql`
        WITH dead AS (DELETE FROM vigil_outbox WHERE ${own} RETURNING seq, sink, event_key, position, notification)
        INSERT INTO vigil_dead_letters (seq, sink, event_key, position, notification, error)
        SELECT seq, sink, event_key, position, notification, ${storable(message)} FROM dead`,
    })
    yield* Effect.timeout(record, limit)
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
