/** An event that disappears from the lists of two subscriptions at the same time. */
import type * as SqlClient from "effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { SubscriptionId } from "@vigil/health-client"
import { Status, Subscriptions } from "@vigil/health-fleet"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { eventually, ground, recorder } from "./ground.js"

/** Transactions that close an event take so long to commit that they overlap. */
const slowTransactions = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN OLD; END $$`
  yield* sql`
    CREATE CONSTRAINT TRIGGER wait AFTER DELETE ON vigil_open_events
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`
})

it.live("a fleet withdraws an event once if it disappears from several subscriptions at the same time", () =>
  Effect.gen(function* () {
    const { put, remove, sql, start, subscriptions, withDatabase } = yield* ground()
    const { has, sink, states } = recorder()
    yield* put("E", subscriptions, { minutesAgo: 1 })
    yield* slowTransactions(sql)
    yield* start({ sinks: [sink] })
    const openEvents = Effect.map(withDatabase(Status.subscriptions), (all) =>
      all.reduce((sum, { openEvents }) => sum + openEvents, 0),
    )
    yield* eventually(openEvents, (open) => open === 2)
    yield* has(1)
    yield* remove("E")
    yield* eventually(openEvents, (open) => open === 0)
    yield* has(2)
    expect(states()).toEqual(["e:opened", "e:withdrawn"])
  }),
)

it.live("a fleet withdraws an event whose last update came from another subscription", () =>
  Effect.gen(function* () {
    const { put, remove, start, subscriptions, withDatabase } = yield* ground()
    const [first = "", second = ""] = subscriptions
    const { has, sink, states } = recorder()
    yield* put("E", subscriptions, { minutesAgo: 2 })
    const runner = yield* start({ sinks: [sink] })
    const openEvents = Effect.map(withDatabase(Status.subscriptions), (all) =>
      all.filter((one) => one.openEvents === 1),
    )
    yield* eventually(openEvents, ({ length }) => length === 2)
    yield* has(1)
    // Only the second subscription gets the update.
    yield* withDatabase(Subscriptions.pause([SubscriptionId.make(first)]))
    yield* put("E", [second], { title: "Update", minutesAgo: 1 })
    yield* has(2)
    yield* Fiber.interrupt(runner)
    yield* withDatabase(Subscriptions.resume([SubscriptionId.make(first)]))
    yield* remove("E")
    yield* start({ sinks: [sink] })
    yield* has(3)
    expect(states()).toEqual(["e:opened", "e:updated", "e:withdrawn"])
  }),
)

it.live("a fleet withdraws an event that was also open in a removed subscription", () =>
  Effect.gen(function* () {
    const { put, remove, start, subscriptions, withDatabase } = yield* ground({}, [])
    const { has, sink, states } = recorder()
    yield* put("E", subscriptions, { minutesAgo: 1 })
    yield* withDatabase(Subscriptions.replaceListed(subscriptions))
    yield* start({ sinks: [sink] })
    yield* eventually(withDatabase(Status.subscriptions), (all) =>
      all.every(({ openEvents, polledAt }) => openEvents === 1 && polledAt !== null),
    )
    yield* has(1)
    yield* withDatabase(Subscriptions.replaceListed(subscriptions.slice(0, 1)))
    yield* remove("E")
    yield* has(2)
    expect(states()).toEqual(["e:opened", "e:withdrawn"])
  }),
)
