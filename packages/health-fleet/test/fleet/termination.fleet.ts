/** A runner that is asked to end while the service and a receiver do not respond. */
import * as SqlClient from "effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually, ground } from "./ground.js"
import { startReceiver } from "./receiver.js"

const patience = process.env["LARGE_INPUTS"] === undefined ? "1 minute" : "15 seconds"

it.live(
  "a runner ends after SIGTERM and releases its claims, even if nothing responds",
  () =>
    Effect.gen(function* () {
      const { put, refuse, startProcess, subscriptions, withDatabase } = yield* ground()
      const [first = "", second = ""] = subscriptions
      yield* put("E", [first], { minutesAgo: 1 })
      yield* refuse(({ target }) => (target.includes(second) ? Effect.never : undefined))
      const receiver = yield* startReceiver("webhook", () => 100_000)
      const runner = yield* startProcess("runner", { minPeriod: "1 hour", maxPeriod: "1 hour" }, [receiver])
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
