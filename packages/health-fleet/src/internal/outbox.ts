/** The notifications that wait for sinks. Those of an event are delivered one by one, in order. */
import type { SqlError } from "@effect/sql/SqlError"
import { Notification } from "@vigil/notify/Notification"
import type { Sink } from "@vigil/notify/Sink"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { database, interval } from "./database.js"
import { isFree } from "./runner.js"
import { text } from "./text.js"

export interface Entry {
  readonly seq: string
  readonly notification: string
  readonly attempts: number
  readonly trace: string | null
}

/** Claims due notifications. The first one of an event blocks the others. */
export const claim = (sink: string, runner: string, known: ReadonlyArray<string>, limit: number) =>
  Effect.flatMap(
    database,
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

/** A sink has its own timeouts. This one is for those that have none. */
const timeout = Duration.minutes(10)

/** Why a notification was not delivered. `retryAfter`: how long to wait at least, if it may be accepted later. */
interface Failure {
  readonly error: string
  readonly retryAfter: Duration.Duration | undefined
}

const send = ({ deliver, name }: Sink, notification: string): Effect.Effect<void, Failure> =>
  decode(notification).pipe(
    Effect.flatMap(deliver),
    Effect.timeoutFail({ duration: timeout, onTimeout: () => ({ _tag: "Timeout" as const }) }),
    // The message of a defect may contain a secret.
    Effect.catchAllDefect(() => Effect.fail({ _tag: "Defect" as const })),
    Effect.mapError((error): Failure => {
      if (error._tag === "Timeout") return { error: `${name} did not finish.`, retryAfter: Duration.zero }
      if (error._tag === "Defect") return { error: `${name} has a defect.`, retryAfter: undefined }
      if (error._tag === "ParseError") return { error: "The notification is invalid.", retryAfter: undefined }
      const requested = "retryAfter" in error ? error.retryAfter : Option.none()
      return {
        error: error.message,
        retryAfter: error.retryable ? Option.getOrElse(requested, () => Duration.zero) : undefined,
      }
    }),
  )

/** Delivers a notification and records the result, unless another runner has claimed it since. Returns whether it was delivered. */
export const deliver = (sink: Sink, { attempts, notification, seq }: Entry, limit: Duration.Duration) =>
  Effect.gen(function* () {
    const sql = yield* database
    const own = sql`seq = ${seq} AND attempts = ${attempts}`
    /** With the later notifications of the event, which wait for this one. */
    const postpone = (error: string, retryAfter: Duration.Duration) =>
      Effect.flatMap(Random.next, (random) => {
        const wait = Duration.max(backoff(attempts, random), Duration.min(retryAfter, Duration.hours(1)))
        return sql`
          WITH failed AS (
            UPDATE vigil_outbox SET runner = NULL, error = ${text(error)}, due_at = now() + ${interval(sql, wait)}
            WHERE ${own} RETURNING sink, event_key, seq, due_at
          )
          UPDATE vigil_outbox AS later SET due_at = greatest(later.due_at, failed.due_at) FROM failed
          WHERE later.sink = failed.sink AND later.event_key = failed.event_key AND later.seq > failed.seq`
      })
    const bury = (error: string) => sql`
      WITH dead AS (DELETE FROM vigil_outbox WHERE ${own} RETURNING seq, sink, event_key, position, state, notification)
      INSERT INTO vigil_dead_letters (seq, sink, event_key, position, state, notification, error)
      SELECT seq, sink, event_key, position, state, notification, ${text(error)} FROM dead`
    const failure = yield* Effect.flip(send(sink, notification)).pipe(Effect.option)
    const record: Effect.Effect<unknown, SqlError> = Option.match(failure, {
      onNone: () => sql`DELETE FROM vigil_outbox WHERE ${own}`,
      onSome: ({ error, retryAfter }) => (retryAfter === undefined ? bury(error) : postpone(error, retryAfter)),
    })
    yield* Effect.timeout(record, limit)
    return Option.isNone(failure)
  })
