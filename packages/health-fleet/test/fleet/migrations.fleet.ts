/** Databases of other versions. */
import { expect, it } from "@effect/vitest"
import { DeadLetters, Fleet, Status } from "@vigil/health-fleet"
import { Notification } from "@vigil/notify"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { eventually, ground, recorder } from "./ground.js"

/** Restores the tables of the third migration, which runners of 0.2 use. */
const revertClaims = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`DELETE FROM vigil_migrations WHERE migration_id > 3`
  yield* sql`CREATE SEQUENCE vigil_epochs`
  yield* sql`
    ALTER TABLE vigil_subscriptions
      ADD COLUMN is_listed boolean NOT NULL DEFAULT false, ADD COLUMN is_wanted boolean NOT NULL DEFAULT true,
      ADD COLUMN is_paused boolean NOT NULL DEFAULT false, ADD COLUMN epoch bigint NOT NULL DEFAULT 0,
      ADD COLUMN runner uuid, ADD COLUMN last_runner uuid, ADD COLUMN due_at timestamptz NOT NULL DEFAULT now(),
      ADD COLUMN wait_ms double precision NOT NULL DEFAULT 0, ADD COLUMN polled_at timestamptz,
      ADD COLUMN succeeded_at timestamptz, ADD COLUMN failures integer NOT NULL DEFAULT 0, ADD COLUMN error text,
      ADD COLUMN invalid integer NOT NULL DEFAULT 0, ADD COLUMN refused bigint NOT NULL DEFAULT 0, ADD COLUMN trace text`
  yield* sql`DROP TABLE vigil_claims`
  yield* sql`DROP FUNCTION vigil_refuse CASCADE`
  yield* sql`
    ALTER TABLE vigil_runners
      DROP COLUMN version, DROP COLUMN server_started, DROP COLUMN worked_at, DROP COLUMN problem`
  yield* sql`ALTER TABLE vigil_outbox DROP COLUMN token, DROP COLUMN claimed_until`
})

/** The tables of the second migration, with events whose notifications were delivered, became dead letters, or wait. */
const earlier = Effect.fnUntraced(function* ({ sql, subscriptions }: Effect.Success<ReturnType<typeof ground>>) {
  yield* revertClaims(sql)
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

it.live("a runner waits until the runners of an earlier version have ended, which cannot start again", () =>
  Effect.gen(function* () {
    const { sql, start, subscriptions, withDatabase } = yield* ground()
    yield* revertClaims(sql)
    yield* sql`UPDATE vigil_subscriptions SET wait_ms = 7, failures = 3, is_paused = subscription = ${subscriptions[0]}`
    const join = (name: string) => sql`
      INSERT INTO vigil_runners (runner, name, sinks, settings, alive_until)
      VALUES (gen_random_uuid(), ${name}, '{}', '', now() + interval '1 hour')`
    yield* Effect.all([join("one"), join("two")])
    const error = yield* Effect.flip(withDatabase(Fleet.migrateDatabase))
    expect(error.earlierRunners).toEqual(["one", "two"])
    expect(error.message).toBe(
      "Could not create the tables of the fleet: runners of an earlier version are alive (one, two). They must end first.",
    )
    const waits: Array<ReadonlyArray<string>> = []
    const onWait = ({ earlierRunners }: typeof error) => Effect.sync(() => void waits.push(earlierRunners))
    yield* start()
    yield* Effect.forkScoped(withDatabase(Fleet.awaitDatabase(onWait)))
    yield* eventually(Effect.sync(() => waits.length === 1))
    yield* sql`DELETE FROM vigil_runners WHERE name = 'one'`
    yield* eventually(Effect.sync(() => waits.length === 2))
    expect(waits).toEqual([["one", "two"], ["two"]])
    // A runner that hangs at the end of its lease does not stop the others.
    yield* sql`UPDATE vigil_runners SET alive_until = now()`
    const known = eventually(
      Effect.orElseSucceed(withDatabase(Status.subscriptions), () => []),
      (all) => all.some(({ polledAt }) => polledAt !== null),
    )
    expect((yield* known).map(({ failures, isPaused }) => ({ failures, isPaused }))).toEqual([
      { failures: 3, isPaused: true },
      { failures: 0, isPaused: false },
    ])
    expect(yield* Effect.flip(join("one"))).toMatchObject({ reason: { cause: { code: "NEWER" } } })
  }),
)
