/** What one runner of a fleet does for all, from time to time. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Subscriptions from "../Subscriptions.js"
import { database, interval } from "./database.js"

/** An event without a change for this long is over. */
const retention = Duration.days(90)

/** Runs an effect if no runner has done so within `every`. */
const once = <A, E, R>(task: string, every: Duration.DurationInput, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* database
    const claimed = yield* sql`
      INSERT INTO vigil_tasks (task, due_at) VALUES (${task}, now() + ${interval(sql, every)})
      ON CONFLICT (task) DO UPDATE SET due_at = excluded.due_at WHERE vigil_tasks.due_at <= now()
      RETURNING task`
    if (claimed.length > 0) yield* effect
  })

/** Watches forget old events without a change. Those of dead letters stay: `resend` needs them. */
const clean = Effect.gen(function* () {
  const sql = yield* database
  const isOld = sql`changed_at < now() - ${interval(sql, retention)}`
  yield* sql`
    DELETE FROM vigil_open_events USING vigil_events
    WHERE vigil_open_events.event_key = vigil_events.event_key AND ${isOld}`
  yield* sql`
    DELETE FROM vigil_events WHERE ${isOld} AND NOT EXISTS (
      SELECT FROM vigil_dead_letters AS letter WHERE letter.event_key = vigil_events.event_key
    )`
})

/** Fails if the database fails. */
export const upkeep = (list: Effect.Effect<ReadonlyArray<SubscriptionId>, unknown> | undefined) =>
  Effect.gen(function* () {
    if (list !== undefined)
      yield* once(
        "list",
        "1 minute",
        list.pipe(
          Effect.timeout("1 minute"),
          Effect.catchAllCause((cause) =>
            Effect.as(Effect.logWarning("Could not list the subscriptions of the fleet.", cause), []),
          ),
          Effect.flatMap(Subscriptions.replaceListed),
        ),
      )
    yield* once("clean", "1 hour", clean)
  })
