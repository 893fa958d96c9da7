/** What one runner of a fleet does for all, from time to time. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Subscriptions from "../Subscriptions.js"
import { findMissed } from "./claims.js"
import { database, interval } from "./database.js"
import type { Options as ListOptions } from "./poll.js"
import { orWarn } from "./problems.js"
import type { Runner } from "./runner.js"

/** Runs an effect if no runner has done so within `every`. */
const once = Effect.fnUntraced(function* <A, E, R>(
  task: string,
  every: Duration.Input,
  effect: Effect.Effect<A, E, R>,
) {
  const sql = yield* database
  const claimed = yield* sql`
    INSERT INTO vigil_tasks (task, due_at) VALUES (${task}, now() + ${interval(sql, every)})
    ON CONFLICT (task) DO UPDATE SET due_at = excluded.due_at WHERE vigil_tasks.due_at <= now()
    RETURNING task`
  if (claimed.length > 0) yield* effect
})

/** Removes events that watches have forgotten, which they do when they poll. Those of dead letters stay: `resend` needs them. */
const clean = Effect.fnUntraced(function* (retention: Duration.Duration) {
  const sql = yield* database
  const isOld = sql`changed_at < now() - ${interval(sql, retention)} AND NOT EXISTS (
    SELECT FROM vigil_open_events AS open JOIN vigil_claims USING (subscription)
    WHERE open.event_key = vigil_events.event_key
    AND (succeeded_at IS NULL OR succeeded_at < now() - interval '1 day')
  )`
  yield* sql`
    DELETE FROM vigil_open_events USING vigil_events
    WHERE vigil_open_events.event_key = vigil_events.event_key AND ${isOld}`
  yield* sql`
    DELETE FROM vigil_events WHERE event_key IN (
      SELECT event_key FROM vigil_events WHERE ${isOld} AND NOT EXISTS (
        SELECT FROM vigil_dead_letters AS letter WHERE letter.event_key = vigil_events.event_key
      ) FOR UPDATE SKIP LOCKED
    )`
})

/** Runs what is due, every 5 seconds, as soon as the runner may work. */
export const upkeep = (
  { lookback = 0 }: ListOptions,
  list: Effect.Effect<ReadonlyArray<SubscriptionId>, unknown> | undefined,
  runner: Runner,
) => {
  let searchEvery = Duration.minutes(1)
  const listed = list?.pipe(
    Effect.timeout("1 minute"),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("Could not list the subscriptions of the fleet.", cause), []),
    ),
    Effect.flatMap(Subscriptions.replaceListed),
  )
  // A watch keeps an event without a change for this long, or longer.
  const retention = Duration.sum(Duration.max(Duration.fromInputUnsafe(lookback), Duration.days(3)), Duration.days(90))
  return Effect.gen(function* () {
    if (listed !== undefined) yield* once("list", "1 minute", listed)
    // Beside a long transaction, a search may take seconds.
    const search = Effect.map(Effect.timed(findMissed(runner)), ([time]) => {
      searchEvery = Duration.max(Duration.minutes(1), Duration.times(time, 100))
    })
    yield* once("search", searchEvery, search)
    if (Duration.isFinite(retention)) yield* once("clean", "1 hour", clean(retention))
  }).pipe(
    Effect.timeout("2 minutes"),
    Effect.withTracerEnabled(false),
    orWarn("list the subscriptions or remove old events"),
    Effect.andThen(Effect.sleep("5 seconds")),
    Effect.when(Effect.sync(() => runner.report !== undefined)),
    Effect.andThen(Effect.sleep("100 millis")),
    Effect.forever,
  )
}
