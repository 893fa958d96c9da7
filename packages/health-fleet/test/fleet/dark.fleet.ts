/** Connections to the database that go dark: they are open, and nothing responds. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { withTransaction } from "../../src/internal/database.js"
import { database } from "./ground.js"
import { startProxy } from "./proxy.js"

const select = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`)

it.live.each(["BEGIN", "a statement", "COMMIT", "ROLLBACK"] as const)(
  "a transaction whose connection goes dark before %s can be interrupted, and the connection is closed",
  (moment) =>
    Effect.gen(function* () {
      const proxy = yield* startProxy(yield* database)
      const context = yield* Layer.build(PgClient.layer({ url: proxy.url, maxConnections: 1 }))
      const goDark = proxy.goDark("acknowledges")
      yield* Effect.provide(select, context)
      if (moment === "BEGIN") yield* goDark
      const body: Effect.Effect<unknown, unknown, SqlClient.SqlClient> = {
        BEGIN: select,
        "a statement": Effect.andThen(goDark, select),
        COMMIT: Effect.andThen(select, goDark),
        ROLLBACK: Effect.andThen(goDark, Effect.fail("a failure")),
      }[moment]
      const transaction = yield* Effect.forkDetach(Effect.provide(withTransaction(body, "1 minute"), context))
      yield* Effect.sleep("200 millis")
      yield* proxy.lighten
      yield* Fiber.interrupt(transaction)
      expect(yield* Effect.provide(select, context)).toEqual([{ one: 1 }])
    }),
  60_000,
)
