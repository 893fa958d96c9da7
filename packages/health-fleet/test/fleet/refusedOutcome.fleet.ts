/** The outcome of a poll that violates a constraint of the database. */
import * as SqlClient from "@effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { event, eventually, ground, recorder } from "./ground.js"

const refuse = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`ALTER TABLE vigil_outbox ADD CONSTRAINT refused CHECK (notification NOT LIKE '%Refused%')`,
)

it.scopedLive("a subscription whose changes cannot be stored waits for its next poll, and loses no change", () =>
  Effect.gen(function* () {
    const { sandbox, start, subscriptions, withDatabase } = yield* ground()
    const { received, sink } = recorder()
    const shown = event(sandbox.world, "ABCD-123", subscriptions.slice(0, 1), { title: "Refused" })
    yield* sandbox.change((world) => World.put(shown)({ ...world, events: [] }))
    yield* withDatabase(refuse)
    yield* start({ sinks: [sink], minPeriod: "2 seconds", maxPeriod: "2 seconds" })
    const status = yield* eventually(withDatabase(Status.status), ({ failing }) => failing === 1)
    expect(status).toMatchObject({ late: 0, refused: 0, sinks: [] })
    yield* withDatabase(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE vigil_outbox DROP CONSTRAINT refused`),
    )
    yield* eventually(withDatabase(Status.status), ({ failing }) => failing === 0)
    yield* eventually(
      Effect.sync(() => received.length),
      (length) => length > 0,
    )
    expect(received.map(({ title }) => title)).toEqual(["Refused"])
  }),
)
