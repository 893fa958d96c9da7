/** A database that an earlier version has written. */
import { expect, it } from "@effect/vitest"
import { DeadLetters, Fleet } from "@vigil/health-fleet"
import { Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import { ground, recorder } from "./ground.js"

/** The tables of the second migration, with events whose notifications were delivered, became dead letters, or wait. */
const earlier = Effect.fnUntraced(function* ({ sql, subscriptions }: Effect.Success<ReturnType<typeof ground>>) {
  yield* sql`DELETE FROM vigil_migrations WHERE migration_id = 3`
  yield* sql`ALTER TABLE vigil_outbox DROP COLUMN shown, ADD COLUMN is_on_hold boolean NOT NULL`
  const event = { name: "E", properties: { eventType: "ServiceIssue", status: "Active" } }
  const opened = Notification.fromChange({ _tag: "Appeared", event }, { subscription: subscriptions[0] })
  const last = { id: "1", count: 1, subscription: null, updatedAt: null, level: "Error", isOpen: true }
  for (const key of ["delivered", "dead", "e"])
    yield* sql`INSERT INTO vigil_events (event_key, sinks) VALUES (${key}, ${JSON.stringify({ recorder: last })}::jsonb)`
  yield* sql`
    INSERT INTO vigil_dead_letters (seq, sink, event_key, position, notification, error)
    VALUES (1, 'recorder', 'dead', 1, ${JSON.stringify({ ...opened, key: "dead" })}, '')`
  yield* sql`
    INSERT INTO vigil_outbox (sink, event_key, position, notification, is_on_hold, due_at)
    VALUES ('recorder', 'e', 1, ${JSON.stringify(opened)}, true, now() + interval '1 hour')`
})

it.live("a fleet continues with the database of an earlier version", () =>
  Effect.gen(function* () {
    const scene = yield* ground()
    const { put, sql, start, subscriptions, withDatabase } = scene
    yield* earlier(scene)
    yield* withDatabase(Fleet.migrateDatabase)
    const shown = yield* sql`
      SELECT event_key, sinks->'recorder'->>'shown' AS shown FROM vigil_events ORDER BY event_key COLLATE "C"`
    expect(shown).toEqual([
      { event_key: "dead", shown: "unsure" },
      { event_key: "delivered", shown: "open" },
      { event_key: "e", shown: "open" },
    ])
    const { has, received, sink } = recorder()
    yield* put("E", subscriptions.slice(0, 1), { summary: "Update" })
    yield* start({ sinks: [sink] })
    yield* has(1)
    expect(received).toMatchObject([{ key: "e", state: "opened", text: "Update" }])
    const letters = yield* withDatabase(DeadLetters.list)
    yield* withDatabase(DeadLetters.resend(letters.map(({ id }) => id)))
    yield* has(2)
    expect(received[1]).toMatchObject({ key: "dead", state: "opened" })
  }),
)
