/** What needs the libraries for Postgres. `Database.ts` imports it lazily. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { FleetError } from "@vigil/health-fleet/FleetError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"

export * as DeadLetters from "@vigil/health-fleet/DeadLetters"
export { layer, migrateDatabase } from "@vigil/health-fleet/Fleet"
export { status, subscriptions } from "@vigil/health-fleet/Status"
export { add, pause, remove, resume } from "@vigil/health-fleet/Subscriptions"

/** Fails if the database does not respond within 10 seconds. */
export const connect = (url: Redacted.Redacted): Effect.Effect<Context.Context<SqlClient>, FleetError, Scope.Scope> =>
  Layer.build(PgClient.layer({ url, applicationName: "vigil", connectTimeout: "10 seconds" })).pipe(
    // The layer connects with the first query.
    Effect.tap((context) => Context.get(context, SqlClient)`SELECT 1`),
    Effect.mapError((cause) => new FleetError({ attempt: "connect to the database", cause: Redacted.make(cause) })),
  )
