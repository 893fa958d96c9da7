/** An event that disappears from the lists of two subscriptions at the same time. */
import * as SqlClient from "@effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { Fleet, Status, Subscriptions } from "@vigil/health-fleet"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { event, eventually, ground, recordingSink } from "./ground.js"

/** Transactions that close an event take so long to commit that they overlap. */
const slowTransactions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN OLD; END $$`
  yield* sql`
    CREATE CONSTRAINT TRIGGER wait AFTER DELETE ON vigil_open_events
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`
})

it.scopedLive("withdraws an event once, if it disappears from several subscriptions at the same time", () =>
  Effect.gen(function* () {
    const { sandbox, start, subscriptions, withDatabase } = yield* ground()
    const { received, sink } = recordingSink()
    const shown = event(sandbox.world, "ABCD-123", subscriptions, { minutesAgo: 1 })
    yield* sandbox.change((world) => World.put(shown)({ ...world, events: [] }))
    yield* withDatabase(Fleet.migrateDatabase)
    yield* withDatabase(slowTransactions)
    yield* withDatabase(Subscriptions.add(subscriptions))
    yield* start({ sinks: [sink] })
    const openEvents = Effect.map(withDatabase(Status.subscriptions), (all) =>
      all.reduce((sum, { openEvents }) => sum + openEvents, 0),
    )
    yield* eventually(openEvents, (open) => open === 2)
    yield* sandbox.change((world) => ({ ...world, events: [] }))
    yield* eventually(openEvents, (open) => open === 0)
    yield* eventually(
      Effect.sync(() => received.length),
      (length) => length === 2,
    )
    expect(received.map(({ state }) => state)).toEqual(["opened", "withdrawn"])
  }),
)

it.scopedLive("withdraws an event that another subscription had when it left the list of subscriptions", () =>
  Effect.gen(function* () {
    const { sandbox, start, subscriptions, withDatabase } = yield* ground()
    const { received, sink } = recordingSink()
    const shown = event(sandbox.world, "ABCD-123", subscriptions, { minutesAgo: 1 })
    yield* sandbox.change((world) => World.put(shown)({ ...world, events: [] }))
    yield* withDatabase(Fleet.migrateDatabase)
    yield* withDatabase(Subscriptions.replaceListed(subscriptions))
    yield* start({ sinks: [sink] })
    yield* eventually(withDatabase(Status.subscriptions), (all) =>
      all.every(({ openEvents, polledAt }) => openEvents === 1 && polledAt !== null),
    )
    yield* withDatabase(Subscriptions.replaceListed(subscriptions.slice(0, 1)))
    yield* sandbox.change((world) => ({ ...world, events: [] }))
    yield* eventually(
      Effect.sync(() => received.length),
      (length) => length === 2,
    )
    expect(received.map(({ state }) => state)).toEqual(["opened", "withdrawn"])
  }),
)

it.scopedLive("withdraws an event that the last subscription with it knows an older version of", () =>
  Effect.gen(function* () {
    const { sandbox, start, subscriptions, withDatabase } = yield* ground()
    const { received, sink } = recordingSink()
    const put = (title: string, minutesAgo: number) =>
      World.put(event(sandbox.world, "ABCD-123", subscriptions, { title, minutesAgo }))
    const count = Effect.sync(() => received.length)
    const late = subscriptions.slice(1)
    yield* sandbox.change((world) => put("First", 2)({ ...world, events: [] }))
    yield* withDatabase(Fleet.migrateDatabase)
    yield* withDatabase(Subscriptions.add(subscriptions))
    yield* start({ sinks: [sink] })
    yield* eventually(withDatabase(Status.subscriptions), (all) => all.every(({ openEvents }) => openEvents === 1))
    yield* withDatabase(Subscriptions.pause(late))
    yield* sandbox.change(put("Second", 1))
    yield* eventually(count, (length) => length === 2)
    yield* sandbox.change((world) => ({ ...world, events: [] }))
    yield* eventually(withDatabase(Status.subscriptions), (all) => all.some(({ openEvents }) => openEvents === 0))
    yield* withDatabase(Subscriptions.resume(late))
    yield* eventually(count, (length) => length === 3)
    expect(received.map(({ state }) => state)).toEqual(["opened", "updated", "withdrawn"])
  }),
)
