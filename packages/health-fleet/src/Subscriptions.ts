/** The subscriptions that a fleet watches. A command on one machine takes effect on all. IDs are case-insensitive. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { FleetError } from "./FleetError.js"
import { database, orFleetError, texts } from "./internal/database.js"
import { isActive } from "./internal/runner.js"

type Command = Effect.Effect<ReadonlyArray<string>, FleetError, SqlClient.SqlClient>

/** A condition: the subscription has one of the IDs. */
const isOneOf = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) => sql`subscription IN (
  SELECT subscription FROM vigil_subscriptions WHERE lower(subscription) IN (SELECT lower(id) FROM unnest(${ids}::text[]) AS id)
)`

/** Returns the IDs that a statement changed. */
const change = (attempt: string, statement: Parameters<typeof texts>[0]): Command =>
  texts(statement).pipe(orFleetError(attempt))

const insert = (isListed: boolean, ids: ReadonlyArray<string>) => (sql: SqlClient.SqlClient) => {
  // Of the others, no row is written or locked.
  const isNew = isListed ? sql`NOT known.is_wanted` : sql`(NOT known.is_wanted OR known.is_listed)`
  // The first polls of new subscriptions are spread: 100 milliseconds for each of them, at most 10 minutes.
  return sql`WITH missing AS (
    INSERT INTO vigil_subscriptions (subscription)
    SELECT DISTINCT ON (lower(id)) id FROM unnest(${ids}::text[]) AS id
    WHERE NOT EXISTS (SELECT FROM vigil_subscriptions WHERE lower(subscription) = lower(id))
    ON CONFLICT (lower(subscription)) DO NOTHING RETURNING subscription
  )
  INSERT INTO vigil_claims AS known (subscription, is_listed, due_at)
  SELECT subscription, ${isListed}::boolean,
    now() + random() * least((count(*) OVER () - 1) * interval '100 milliseconds', interval '10 minutes')
  FROM (
    SELECT subscription FROM missing UNION ALL
    SELECT subscription FROM vigil_claims AS known WHERE ${isOneOf(sql, ids)} AND ${isNew}
  ) AS found
  ON CONFLICT (subscription) DO UPDATE SET
    is_wanted = true,
    is_listed = excluded.is_listed,
    due_at = CASE WHEN known.is_wanted OR known.token IS NOT NULL THEN known.due_at ELSE excluded.due_at END
  WHERE ${isNew}
  RETURNING subscription AS text`
}

/** Adds subscriptions, whose first polls are spread over time. Returns those that were not added before. @category commands @since 0.1.0 */
export const add = (ids: ReadonlyArray<SubscriptionId>): Command => change("add subscriptions", insert(false, ids))

/**
 * Removes subscriptions and what is known of them. Returns those that existed. Notifications that wait are still delivered, but none that their
 * events are over.
 * @category commands @since 0.1.0
 */
export const remove = (ids: ReadonlyArray<SubscriptionId>): Command =>
  change(
    "remove subscriptions",
    // In the order of a poll that stores its outcome.
    (sql) => sql`
      WITH removed AS (DELETE FROM vigil_claims WHERE ${isOneOf(sql, ids)} RETURNING subscription)
      DELETE FROM vigil_subscriptions WHERE subscription IN (SELECT subscription FROM removed) RETURNING subscription AS text`,
  )

/** Stops the polls of subscriptions. Returns those that were not paused. @category commands @since 0.1.0 */
export const pause = (ids: ReadonlyArray<SubscriptionId>): Command =>
  change(
    "pause subscriptions",
    (sql) => sql`
      UPDATE vigil_claims SET is_paused = true
      WHERE ${isActive(sql)} AND ${isOneOf(sql, ids)} RETURNING subscription AS text`,
  )

/** Continues the polls of paused subscriptions, at once. Returns those that were paused. @category commands @since 0.1.0 */
export const resume = (ids: ReadonlyArray<SubscriptionId>): Command =>
  change(
    "resume subscriptions",
    (sql) => sql`
      UPDATE vigil_claims SET is_paused = false, due_at = CASE WHEN token IS NULL THEN now() ELSE due_at END
      WHERE is_wanted AND is_paused AND ${isOneOf(sql, ids)} RETURNING subscription AS text`,
  )

/**
 * Makes the fleet watch the listed subscriptions, besides those of `add`. Those that an earlier list had are no longer polled; their state is
 * kept in case they return. An empty list changes nothing.
 * @category commands @since 0.1.0
 */
export const replaceListed = (
  ids: ReadonlyArray<SubscriptionId>,
): Effect.Effect<void, FleetError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    if (ids.length === 0) return
    const sql = yield* database
    yield* insert(true, ids)(sql)
    yield* sql`
      UPDATE vigil_claims SET is_wanted = false WHERE is_listed AND is_wanted AND NOT ${isOneOf(sql, ids)}`
  }).pipe(orFleetError("store the listed subscriptions"))
