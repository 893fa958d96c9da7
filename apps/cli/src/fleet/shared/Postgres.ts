/** What needs the libraries for Postgres. `Database.ts` imports it lazily. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { FleetError } from "@vigil/health-fleet/FleetError"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"

export * as DeadLetters from "@vigil/health-fleet/DeadLetters"
export { awaitDatabase, layer, migrateDatabase, Runner } from "@vigil/health-fleet/Fleet"
export { status, subscriptions } from "@vigil/health-fleet/Status"
export { add, pause, remove, resume } from "@vigil/health-fleet/Subscriptions"

/** A pooler, such as PgBouncer, sends a process ID of its own. It may keep no prepared statements. */
const isPooled = (options: PgConnection.Config) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make(options)
      const { rows } = yield* connection.query("SELECT pg_backend_pid() AS pid", [], false)
      return rows[0]?.["pid"] !== connection.processId
    }),
  )

/** Fails if the database does not respond within 10 seconds. */
export const connect = (url: Redacted.Redacted): Effect.Effect<Context.Context<SqlClient>, FleetError, Scope.Scope> => {
  const options = { url, applicationName: "vigil", connectTimeout: "10 seconds", keepAlive: "10 seconds" } as const
  return Effect.flatMap(isPooled(options), (isPooled) =>
    Layer.build(PgClient.layer({ ...options, prepare: !isPooled })),
  ).pipe(
    Effect.mapError((cause) => new FleetError({ attempt: "connect to the database", cause: Redacted.make(cause) })),
  )
}
