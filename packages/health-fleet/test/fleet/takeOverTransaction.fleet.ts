/** A runner that hangs inside a transaction, whose locks last as long as its connection. */
import * as SqlClient from "@effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { SubscriptionId } from "@vigil/health-client"
import { Fleet, Status, Subscriptions } from "@vigil/health-fleet"
import { Sandbox, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database, event, eventually, sqlLayer } from "./ground.js"
import { startRunner } from "./processes.js"
import { startReceiver } from "./receiver.js"

/** The first transaction that stores a notification takes a second. */
const slowTransaction = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE SEQUENCE transactions`
  yield* sql`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF nextval('transactions') = 1 THEN PERFORM pg_sleep(1); END IF; RETURN NEW; END $$`
  yield* sql`CREATE TRIGGER wait BEFORE INSERT ON vigil_outbox FOR EACH ROW EXECUTE FUNCTION wait()`
})

it.scopedLive(
  "other runners take over from a runner that hangs inside a transaction",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const { id } = sandbox.world.subscriptions[0]
      yield* sandbox.change((world) =>
        World.put(event(world, "ABCD-123", [id], { minutesAgo: 1 }))({ ...world, events: [] }),
      )
      const receiver = yield* startReceiver("webhook")
      const url = yield* database
      const sql = yield* Layer.build(sqlLayer(url))
      const withDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provide(effect, sql)
      yield* withDatabase(Fleet.migrateDatabase)
      yield* withDatabase(slowTransaction)
      yield* withDatabase(Subscriptions.add([SubscriptionId.make(id)]))
      const { name, secret, url: receiverUrl } = receiver
      const start = (runner: string) =>
        startRunner(
          {
            baseUrl: sandbox.baseUrl,
            token: sandbox.accessToken,
            url,
            sinks: [{ name, secret, url: receiverUrl }],
            options: { minPeriod: 200, maxPeriod: 200, lease: 1_000 },
          },
          runner,
        )
      const victim = yield* start("victim")
      const sleeping = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
      )
      yield* eventually(withDatabase(sleeping), ({ length }) => length > 0)
      yield* victim.signal("SIGSTOP")
      yield* start("survivor")
      yield* eventually(
        Effect.sync(() => receiver.received.length),
        (length) => length > 0,
      )
      // The victim continues, but its connection is closed.
      yield* victim.signal("SIGCONT")
      const seen = yield* withDatabase(Status.status)
      yield* eventually(withDatabase(Status.status), ({ runners }) =>
        runners.some(
          ({ name, seenAt }) => name === "victim" && seenAt.getTime() > (seen.lastPollAt?.getTime() ?? Infinity),
        ),
      )
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    }),
  60_000,
)
