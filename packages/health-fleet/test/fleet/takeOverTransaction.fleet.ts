/** A runner that hangs inside a transaction, whose locks last as long as its connection. */
import * as SqlClient from "effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import * as Effect from "effect/Effect"
import { eventually, ground } from "./ground.js"
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

it.live(
  "other runners take over from a runner that hangs inside a transaction",
  () =>
    Effect.gen(function* () {
      const { put, startProcess, subscriptions, withDatabase } = yield* ground()
      yield* put("E", subscriptions.slice(0, 1), { minutesAgo: 1 })
      const receiver = yield* startReceiver("webhook")
      yield* withDatabase(slowTransaction)
      const start = (name: string) => startProcess(name, { minPeriod: 200, maxPeriod: 200, lease: 1_000 }, [receiver])
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
