/** The notifications that wait for sinks. Those of an event are delivered one by one, in order. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Notification } from "@vigil/notify/Notification"
import type { Sink } from "@vigil/notify/Sink"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { later } from "./interval.js"
import { isFree } from "./runner.js"

export interface Entry {
  readonly seq: string
  readonly notification: string
  readonly attempts: number
  readonly trace: string | null
}

/** Claims due notifications. The first one of an event blocks the others. */
export const claim = (sink: string, runner: string, known: ReadonlyArray<string>, limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Entry>`
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

const decode = Schema.decode(Schema.parseJson(Notification))

/** Doubles from 1 second to 5 minutes, less a random part of a half. */
const backoff = (attempts: number, random: number): Duration.Duration =>
  Duration.seconds(Math.min(2 ** Math.min(attempts - 1, 20), 300) * (1 - random / 2))

/** Delivers a notification. `true`: delivered, `false`: it will be sent again, or is a dead letter now. */
export const deliver = ({ deliver, name }: Sink, { attempts, notification, seq }: Entry) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const postpone = (error: string, retryAfter: Duration.Duration) =>
      Effect.flatMap(Random.next, (random) => {
        const wait = Duration.max(backoff(attempts, random), Duration.min(retryAfter, Duration.hours(1)))
        return sql`
          UPDATE vigil_outbox SET runner = NULL, error = ${error}, due_at = now() + ${later(sql, wait)} WHERE seq = ${seq}`
      })
    const bury = (error: string) => sql`
      WITH dead AS (DELETE FROM vigil_outbox WHERE seq = ${seq} RETURNING seq, sink, event_key, state, notification)
      INSERT INTO vigil_dead_letters (seq, sink, event_key, state, notification, error)
      SELECT seq, sink, event_key, state, notification, ${error}::text FROM dead`
    const sent = yield* decode(notification).pipe(
      Effect.flatMap(deliver),
      // A defect concerns this notification only.
      Effect.catchAllDefect(() => Effect.fail(`The sink ${name} has a defect.`)),
      Effect.either,
    )
    if (sent._tag === "Right") {
      yield* sql`DELETE FROM vigil_outbox WHERE seq = ${seq}`
      return true
    }
    const error = sent.left
    if (typeof error === "string" || error._tag === "ParseError") {
      yield* bury(typeof error === "string" ? error : "The notification is invalid.")
      return false
    }
    const retryAfter = "retryAfter" in error ? Option.getOrUndefined(error.retryAfter) : undefined
    yield* error.retryable ? postpone(error.message, retryAfter ?? Duration.zero) : bury(error.message)
    return false
  })
