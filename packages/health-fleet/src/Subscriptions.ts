/** The subscriptions that a fleet watches. A command on one machine takes effect on all. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { FleetError } from "./FleetError.js"
import { later } from "./internal/interval.js"

/** A statement has at most 65,535 parameters. */
const maxRows = 10_000

/** The first polls of new subscriptions are spread over time. */
const spacing = Duration.millis(100)

const longestSpread = Duration.minutes(10)

type Command = Effect.Effect<ReadonlyArray<string>, FleetError, SqlClient.SqlClient>

interface Row {
  readonly subscription: string
}

/** Runs a statement for some IDs at a time. Returns the IDs that it changed. */
const command = (
  attempt: string,
  ids: ReadonlyArray<string>,
  statement: (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>, SqlError>,
): Command =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* Effect.forEach(Arr.chunksOf(ids, maxRows), (some) => statement(sql, some))
    return rows.flat().map(({ subscription }) => subscription)
  }).pipe(Effect.mapError((cause) => new FleetError({ attempt, cause })))

const insert = (isListed: boolean, total: number) => (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) => {
  const spread = later(sql, Duration.min(Duration.times(spacing, total - 1), longestSpread))
  return sql<Row>`
    INSERT INTO vigil_subscriptions (subscription, is_listed, due_at)
    SELECT subscription, ${isListed}::boolean, now() + random() * ${spread}
    FROM unnest(${ids}::text[]) AS subscription
    ON CONFLICT (subscription) DO UPDATE SET is_wanted = true, is_listed = excluded.is_listed, due_at = excluded.due_at
    WHERE NOT vigil_subscriptions.is_wanted
    RETURNING subscription`
}

/**
 * Adds subscriptions. Returns those that are new. Their first polls are spread: 100 milliseconds for each of them, at most 10 minutes.
 * @category commands @since 0.1.0
 */
export const add = (ids: ReadonlyArray<SubscriptionId>): Command =>
  command("add subscriptions", ids, insert(false, ids.length))

/**
 * Removes subscriptions and what is known of them. Returns those that existed. Notifications in the outbox are still delivered.
 * @category commands @since 0.1.0
 */
export const remove = (ids: ReadonlyArray<SubscriptionId>): Command =>
  command(
    "remove subscriptions",
    ids,
    (sql, some) =>
      sql<Row>`DELETE FROM vigil_subscriptions WHERE ${sql.in("subscription", some)} RETURNING subscription`,
  )

/** Stops the polls of subscriptions. Returns those that were not paused. @category commands @since 0.1.0 */
export const pause = (ids: ReadonlyArray<SubscriptionId>): Command =>
  command(
    "pause subscriptions",
    ids,
    (sql, some) => sql<Row>`
      UPDATE vigil_subscriptions SET is_paused = true
      WHERE NOT is_paused AND ${sql.in("subscription", some)} RETURNING subscription`,
  )

/** Continues the polls of paused subscriptions, at once. Returns those that were paused. @category commands @since 0.1.0 */
export const resume = (ids: ReadonlyArray<SubscriptionId>): Command =>
  command(
    "resume subscriptions",
    ids,
    (sql, some) => sql<Row>`
      UPDATE vigil_subscriptions SET is_paused = false, due_at = now()
      WHERE is_paused AND ${sql.in("subscription", some)} RETURNING subscription`,
  )

/**
 * Makes the fleet watch the listed subscriptions, besides those of `add`. Those that an earlier list had are no longer polled; their state is
 * kept for the case that they return. An empty list changes nothing.
 * @category commands @since 0.1.0
 */
export const replaceListed = (
  ids: ReadonlyArray<SubscriptionId>,
): Effect.Effect<void, FleetError, SqlClient.SqlClient> =>
  ids.length === 0
    ? Effect.void
    : Effect.gen(function* () {
        const attempt = "list the subscriptions"
        const sql = yield* SqlClient.SqlClient
        yield* command(attempt, ids, insert(true, ids.length))
        yield* Effect.mapError(
          sql`
            UPDATE vigil_subscriptions SET is_wanted = false
            WHERE is_listed AND is_wanted AND subscription <> ALL(${ids}::text[])`,
          (cause) => new FleetError({ attempt, cause }),
        )
      })
