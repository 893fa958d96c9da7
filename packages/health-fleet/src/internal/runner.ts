/** A runner: one process of a fleet. It holds its claims for as long as it reports that it is alive. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { since } from "./interval.js"

export interface Runner {
  readonly id: string
  /** Selects the runners that are alive. */
  readonly lease: Duration.Duration
}

/** A condition: no runner that is alive has claimed the row, or this one has claimed it and does not know of it. */
export const isFree = (
  sql: SqlClient.SqlClient,
  { id, lease }: Runner,
  known: ReadonlyArray<string | number>,
  key: string,
) => {
  const alive = sql`SELECT runner FROM vigil_runners WHERE seen_at > ${since(sql, lease)}`
  const unknown = known.length === 0 ? sql`TRUE` : sql`NOT ${sql.in(key, known)}`
  return sql`(runner IS NULL OR (runner = ${id} AND ${unknown}) OR (runner <> ${id} AND runner NOT IN (${alive})))`
}

/** Registers a runner until the scope closes, and reports that it is alive. Then releases its claims. */
export const register = (name: string, lease: Duration.Duration, onError: (error: unknown) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const release = (id: string) =>
      Effect.all(
        [
          sql`UPDATE vigil_subscriptions SET runner = NULL WHERE runner = ${id}`,
          sql`UPDATE vigil_outbox SET runner = NULL WHERE runner = ${id}`,
          sql`DELETE FROM vigil_runners WHERE runner = ${id}`,
        ],
        { discard: true },
      )
    const id = yield* Effect.acquireRelease(
      Effect.map(
        sql<{
          id: string
        }>`INSERT INTO vigil_runners (runner, name) VALUES (gen_random_uuid(), ${name}) RETURNING runner AS id`,
        ([row]) => row?.id ?? "",
      ),
      (id) => Effect.ignore(Effect.timeout(Effect.interruptible(release(id)), "5 seconds")),
    )
    const report = sql`
      INSERT INTO vigil_runners (runner, name) VALUES (${id}, ${name})
      ON CONFLICT (runner) DO UPDATE SET seen_at = now()`
    const clean = sql`DELETE FROM vigil_runners WHERE seen_at < ${since(sql, Duration.hours(1))}`
    yield* Effect.zipRight(report, clean).pipe(
      Effect.timeout(lease),
      Effect.catchAll(onError),
      Effect.repeat(Schedule.spaced(Duration.times(lease, 0.25))),
      Effect.forkScoped,
    )
    const runner: Runner = { id, lease }
    return runner
  })
