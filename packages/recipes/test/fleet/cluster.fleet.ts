/** The example for `effect/cluster`, on a database. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import { Connection, HealthClient, HealthEvent, SubscriptionId } from "@vigil/health-client"
import { Credential } from "@vigil/core-http"
import { Sandbox } from "@vigil/sandbox"
import * as Postgres from "@vigil/testing/Postgres"
import * as TestRunner from "effect/cluster/TestRunner"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { createTables, Watches } from "../../examples/cluster.js"

it.live("cluster stores each change once, even if two clusters own each bucket", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(Effect.promise(Postgres.start), ({ stop }) => Effect.promise(stop))
    const { accessToken, baseUrl, refuse, world } = yield* Sandbox.make()
    // The responses to the first poll of a subscription wait for the other cluster.
    const polls = new Map<string, { readonly both: Latch.Latch; count: number }>()
    yield* refuse(({ target }) => {
      const id = /subscriptions\/([^/]+)/.exec(target)?.[1] ?? ""
      const poll = polls.get(id) ?? { both: Latch.makeUnsafe(false), count: 0 }
      polls.set(id, poll)
      poll.count += 1
      if (poll.count === 2) poll.both.openUnsafe()
      return Effect.as(poll.both.await, undefined)
    })
    const Health = HealthClient.layer.pipe(
      Layer.provide(Connection.layer({ baseUrl, credential: Credential.bearer(accessToken) })),
      Layer.provide(FetchHttpClient.layer),
    )
    const Services = Layer.merge(Health, PgClient.layer({ url: Redacted.make(server.url) }))
    const count = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = world.subscriptions.map(({ id }) => SubscriptionId.make(id))
      yield* createTables
      yield* sql`INSERT INTO watches (subscription) SELECT unnest(${ids}::text[])`
      const clusters = Array.from({ length: 2 }, () =>
        Layer.launch(Layer.fresh(Watches.pipe(Layer.provide(TestRunner.layer)))),
      )
      yield* Effect.forEach(clusters, (cluster) => Effect.forkScoped(cluster))
      const polled = sql`SELECT FROM watches WHERE version > 0`
      yield* Effect.repeat(Effect.delay(polled, "100 millis"), { until: ({ length }) => length === ids.length })
      // What the slower cluster found is refused.
      yield* Effect.sleep("2 seconds")
      const { listBySubscription } = yield* HealthClient.HealthClient
      const listed = yield* Effect.forEach(ids, (id) => Stream.runCollect(listBySubscription(id)))
      const keys = listed.flatMap((events) => events.map((event) => HealthEvent.eventKey(event)))
      const stored = yield* sql<{ key: string; subscription: string }>`
          SELECT notification::json->>'key' AS key, notification::json->>'subscription' AS subscription FROM outbox`
      // The first poll also finds active events that the list of the service no longer reaches.
      expect(stored.map(({ key }) => key)).toEqual(expect.arrayContaining(keys))
      expect(new Set(stored.map(({ key, subscription }) => `${subscription} ${key}`)).size).toBe(stored.length)
    })
    yield* Effect.provide(count, Services)
  }),
)
