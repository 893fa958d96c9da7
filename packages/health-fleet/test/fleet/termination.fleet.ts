/** A runner that is asked to end while the service and a receiver do not respond. */
import * as SqlClient from "@effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { SubscriptionId } from "@vigil/health-client"
import { Fleet, Subscriptions } from "@vigil/health-fleet"
import { Sandbox, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database, event, eventually, sqlLayer } from "./ground.js"
import { startRunner } from "./processes.js"
import { startReceiver } from "./receiver.js"

const patience = process.env["LARGE_INPUTS"] === undefined ? "1 minute" : "15 seconds"

it.scopedLive(
  "a runner ends after SIGTERM and releases its claims, even if nothing responds",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const [{ id: first }, { id: second }] = sandbox.world.subscriptions
      yield* sandbox.change((world) =>
        World.put(event(world, "ABCD-123", [first], { minutesAgo: 1 }))({ ...world, events: [] }),
      )
      yield* sandbox.refuse(({ target }) => (target.includes(second) ? Effect.never : undefined))
      const { name, secret, url: receiverUrl } = yield* startReceiver("webhook", () => 100_000)
      const url = yield* database
      const sql = yield* Layer.build(sqlLayer(url))
      const withDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provide(effect, sql)
      yield* withDatabase(Fleet.migrateDatabase)
      yield* withDatabase(Subscriptions.add([SubscriptionId.make(first), SubscriptionId.make(second)]))
      const runner = yield* startRunner(
        {
          baseUrl: sandbox.baseUrl,
          token: sandbox.accessToken,
          url,
          sinks: [{ name, secret, url: receiverUrl }],
          options: { minPeriod: "1 hour", maxPeriod: "1 hour" },
        },
        "runner",
      )
      const claims = withDatabase(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql<{ name: string }>`
            SELECT 'poll' AS name FROM vigil_subscriptions WHERE runner IS NOT NULL
            UNION ALL SELECT 'delivery' FROM vigil_outbox WHERE runner IS NOT NULL
            UNION ALL SELECT 'runner' FROM vigil_runners`,
        ),
      )
      yield* eventually(claims, ({ length }) => length === 3)
      yield* runner.signal("SIGTERM")
      yield* Effect.timeout(runner.ended, patience)
      expect(yield* claims).toEqual([])
    }),
  80_000,
)
